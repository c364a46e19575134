//! One line on standard error that says how far a command has come; nothing where that is no terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use decide::Progress;

/// The line, or nothing.
pub struct Line {
    bar: ProgressBar,
    bounds: usize,
    began: Instant,
}

impl Line {
    /// Shown only if `wanted` and standard error is a terminal.
    pub fn new(wanted: bool, bounds: usize) -> Line {
        Line { bar: bar(wanted, "compiling"), bounds, began: Instant::now() }
    }

    /// Says how far it is.
    pub fn update(&self, progress: &Progress) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message(progress, self.bounds, self.began.elapsed()));
        }
    }

    /// Takes the line away.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}

fn bar(wanted: bool, message: &'static str) -> ProgressBar {
    let shown = wanted && std::io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style.tick_chars("|/-\\ "));
    }
    bar.set_message(message);
    if shown {
        bar.enable_steady_tick(Duration::from_millis(120));
    }
    bar
}

/// How far the reading and the analyses of a trace have come.
pub struct Spinner {
    bar: ProgressBar,
}

impl Spinner {
    /// Shown only if `wanted` and standard error is a terminal.
    pub fn new(wanted: bool, message: &'static str) -> Spinner {
        Spinner { bar: bar(wanted, message) }
    }

    /// Says how many events have been read.
    pub fn events(&self, events: u64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("reading: {} events", short(events as f64)));
        }
    }

    /// Says what is being done.
    pub fn says(&self, message: &'static str) {
        self.bar.set_message(message);
    }

    /// The same, with words that were put together.
    pub fn tells(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Takes the line away.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}

fn message(progress: &Progress, bounds: usize, elapsed: Duration) -> String {
    let rate = progress.states as f64 / elapsed.as_secs_f64().max(0.001);
    let mut text = String::new();
    if bounds > 1 {
        text += &format!("bound {} of {bounds}: ", progress.bound + 1);
    }
    if !progress.phase.is_empty() {
        text += &format!("{}: ", progress.phase);
    }
    text += &format!("{} states, {} states/s", short(progress.states as f64), short(rate));
    // An estimate only where there is one.
    if progress.done > 0.0005 {
        text += &format!(", about {:.1}% done", progress.done * 100.0);
    }
    text += &format!(
        ", {} MB, {} transitions, depth {}",
        progress.memory_bytes >> 20,
        short(progress.transitions as f64),
        progress.depth,
    );
    text
}

/// `999`, `12.3k`, `4.5M`.
fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.1}M", n / 1e6),
        n => format!("{:.1}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_where_it_is() {
        let progress = Progress {
            phase: "search",
            bound: 1,
            states: 1_234_567,
            transitions: 9,
            done: 0.125,
            depth: 7,
            memory_bytes: 64 << 20,
        };
        let text = message(&progress, 3, Duration::from_secs(2));
        assert_eq!(
            text,
            "bound 2 of 3: search: 1.2M states, 617.3k states/s, about 12.5% done, 64 MB, 9 transitions, depth 7"
        );
        assert!(!message(&progress, 1, Duration::ZERO).contains("bound"));
        let open = Progress { done: 0.0, ..progress };
        assert!(!message(&open, 1, Duration::ZERO).contains("done"));
    }
}
