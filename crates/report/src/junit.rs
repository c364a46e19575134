//! The report as JUnit XML, for build servers that show tests.
//!
//! One test suite, `raceproof`, with one test case for the program if it has no finding, and otherwise one failing test
//! case for each finding; `unknown` is an error, because neither a pass nor a failure was established. The text of a
//! failure is the finding as the terminal shows it.

use base::{CheckReport, Verdict};

use crate::{SourceProvider, Style, explain, said, terminal};

/// The report as XML.
pub fn render(report: &CheckReport, sources: &dyn SourceProvider) -> String {
    let program = if report.files.is_empty() { "program".to_owned() } else { report.files.join(" ") };
    let style = Style::default();
    let mut cases = Vec::new();
    for (index, race) in report.races.iter().enumerate() {
        let name = format!("race {}: {}", index + 1, terminal::race_title(race));
        let text = terminal::race_snippet(&format!("race {}", index + 1), race, sources, &style);
        cases.push(case(&program, &name, &failure("race", &name, &text)));
    }
    for defect in &report.defects {
        let name = format!("{}: {}", terminal::kind(defect.kind), said::message(defect));
        let text = terminal::defect_snippet(defect, sources, &style);
        cases.push(case(&program, &name, &failure(explain::code(defect.kind), &name, &text)));
    }
    let failures = cases.len();
    let verdict = terminal::verdict_line(report, &Style { quiet: true, width: usize::MAX / 2, ..style });
    let mut errors = 0;
    match report.verdict {
        Verdict::Unknown => {
            errors = 1;
            let error = format!("<error type=\"unknown\" message=\"{}\"/>", escape(verdict.trim_end()));
            cases.push(case(&program, "race-free", &error));
        }
        Verdict::RaceFree => cases.push(case(&program, "race-free", "")),
        Verdict::Race | Verdict::Defect => {}
    }
    let (tests, time) = (cases.len(), report.stats.seconds);
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\"");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite name=\"raceproof\" {counts}>\n\
         {cases}<system-out>{out}</system-out>\n</testsuite>\n</testsuites>\n",
        cases = cases.concat(),
        out = escape(&verdict),
    )
}

fn case(program: &str, name: &str, inner: &str) -> String {
    let (program, name) = (escape(program), escape(name));
    match inner {
        "" => format!("<testcase classname=\"{program}\" name=\"{name}\"/>\n"),
        _ => format!("<testcase classname=\"{program}\" name=\"{name}\">\n{inner}\n</testcase>\n"),
    }
}

fn failure(code: &str, message: &str, text: &str) -> String {
    format!("<failure type=\"{code}\" message=\"{}\">{}</failure>", escape(message), escape(text))
}

/// Text for content and attributes; characters that XML 1.0 has no way to write become the replacement character.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_does_not_allow_is_replaced() {
        assert_eq!(escape("a<b> & \"c\"\u{1}\n"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\n");
    }
}
