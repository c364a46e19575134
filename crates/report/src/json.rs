//! The report as JSON: the serialisation of [`CheckReport`], indented, with a newline at its end.
//!
//! The schema is written down in `docs/formats.md` and its version stands in the field `version`. Within a version
//! fields are only added. Fields come in the order of the struct's declaration and lists in the order of the report,
//! so that equal reports give equal text.

use base::CheckReport;

/// The report as indented JSON.
pub fn render(report: &CheckReport) -> String {
    // Only maps with keys that are no strings and failing writers make this fail; a report has neither.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
