//! Colours, wrapped paragraphs and numbers: the small parts from which the terminal output is put together.

use anstyle::{AnsiColor, Effects, Style as Ansi};

use crate::Style;

/// The width of the column of labels (`hint`, `bounds`, ...) with the blanks after it.
const LABEL: usize = 13;

/// What a piece of text is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// A race or defect.
    Bad,
    /// A proof.
    Good,
    /// No answer.
    Open,
    /// A label or heading.
    Label,
    /// Something of less weight.
    Dim,
}

impl Tone {
    fn ansi(self) -> Ansi {
        match self {
            Tone::Bad => AnsiColor::BrightRed.on_default().effects(Effects::BOLD),
            Tone::Good => AnsiColor::BrightGreen.on_default().effects(Effects::BOLD),
            Tone::Open => AnsiColor::Yellow.on_default().effects(Effects::BOLD),
            Tone::Label => Ansi::new().effects(Effects::BOLD),
            Tone::Dim => Ansi::new().effects(Effects::DIMMED),
        }
    }
}

/// The text in its colour, or as it is where colours are off.
pub(crate) fn paint(style: &Style, tone: Tone, text: &str) -> String {
    if style.color {
        let ansi = tone.ansi();
        format!("{ansi}{text}{ansi:#}")
    } else {
        text.to_owned()
    }
}

/// A paragraph within the width; later lines are indented like the text after the heading.
pub(crate) fn paragraph(style: &Style, text: &str, indent: usize) -> String {
    let rest = " ".repeat(indent);
    let options = textwrap::Options::new(style.width.max(20)).subsequent_indent(&rest).break_words(false);
    loosen(&textwrap::fill(&hold_together(text), options))
}

/// A blank at which no line is broken, until [`loosen`].
const HELD: char = '\u{a0}';
const UNITS: [&str; 8] = ["ms", "s", "min", "KB", "MB", "GB", "TB", "%"];

/// A number and its unit stay on one line.
fn hold_together(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(' ') {
        let unit = word.trim_end().trim_end_matches([',', ';', ':', '.', ')']);
        if UNITS.contains(&unit)
            && out.ends_with(' ')
            && out.trim_end().ends_with(|c: char| c.is_ascii_digit())
        {
            out.pop();
            out.push(HELD);
        }
        out += word;
    }
    out
}

fn loosen(text: &str) -> String {
    text.replace(HELD, " ")
}

/// A labelled paragraph: the label in its column, the text wrapped beside it. Ends with a newline.
pub(crate) fn labelled(style: &Style, label: &str, text: &str) -> String {
    let lines: Vec<String> = text.split('\n').flat_map(|part| wrap_beside_label(style, part)).collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number == 0 {
            out += &paint(style, Tone::Label, label);
            out += &" ".repeat(LABEL.saturating_sub(label.len()).max(1));
        } else {
            out += &" ".repeat(LABEL);
        }
        out += line;
        out.push('\n');
    }
    out
}

fn wrap_beside_label(style: &Style, text: &str) -> Vec<String> {
    let width = style.width.saturating_sub(LABEL).max(20);
    textwrap::wrap(&hold_together(text), textwrap::Options::new(width).break_words(false))
        .into_iter()
        .map(|line| loosen(&line))
        .collect()
}

/// A command that a person may copy: never wrapped.
pub(crate) fn command(style: &Style, label: &str, command: &str) -> String {
    let label = format!("{label:LABEL$}");
    format!("{}{command}\n", paint(style, Tone::Label, &label))
}

/// A whole number with commas between groups of three.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 state`, `2,000 states`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// Seconds as a person would say them.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.0005 => "less than 1 ms".to_owned(),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
    }
}

/// A size in memory.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(value < 10.0);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(seconds(0.25), "250 ms");
        assert_eq!(seconds(119.0), "119.0 s");
        assert_eq!(seconds(125.4), "2 min 05 s");
        assert_eq!(bytes(1024 * 1024 * 3), "3.0 MB");
        assert_eq!(bytes(64 * 1024 * 1024), "64 MB");
        assert_eq!(and(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn numbers_keep_their_units() {
        let style = Style { width: 33, ..Style::default() };
        let text = labelled(&style, "work", "1 run; 205 ms and 99 ms, 77 MB");
        assert_eq!(text, "work         1 run; 205 ms and\n             99 ms, 77 MB\n");
        let style = Style { width: 20, ..Style::default() };
        assert_eq!(
            paragraph(&style, "it took about 3.0 s, then 4 steps", 0),
            "it took about 3.0 s,\nthen 4 steps"
        );
    }

    #[test]
    fn labelled_text_hangs() {
        let style = Style { width: 40, ..Style::default() };
        let text = labelled(&style, "hint", "guard both accesses by the same mutex, everywhere");
        assert_eq!(text, "hint         guard both accesses by the\n             same mutex, everywhere\n");
    }
}
