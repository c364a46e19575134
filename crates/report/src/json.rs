//! The report as JSON: the serialisation of [`CheckReport`], indented, with a newline at its end.
//!
//! The schema is written down in `docs/formats.md` and its version stands in the field `version`. Within a version
//! fields are only added. Fields come in the order of the struct's declaration and lists in the order of the report,
//! so that equal reports give equal text.

use base::CheckReport;

use crate::{reason, said};

/// The report as indented JSON.
pub fn render(report: &CheckReport) -> String {
    // Only maps with keys that are no strings and failing writers make this fail; a report has neither.
    let mut text = serde_json::to_string_pretty(&worded(report)).unwrap_or_default();
    text.push('\n');
    text
}

/// A report with the words for what it says by types, as files have them.
pub fn worded(report: &CheckReport) -> CheckReport {
    let mut report = report.clone();
    report.reason_words = reason::of_report(&report);
    for open in &mut report.undecided {
        open.reason_words = reason::of_undecided(open);
    }
    said::say(&mut report.races, &mut report.defects);
    report
}
