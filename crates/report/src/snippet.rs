//! Source snippets with several labelled places, by `annotate-snippets`.

use std::rc::Rc;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use base::Place;

use crate::span::underline;
use crate::{SourceProvider, Style};

/// A place in the source and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub place: Place,
    pub label: String,
    /// The places that matter most are underlined with `^`, the others with `-`.
    pub primary: bool,
}

/// What kind of heading a snippet has, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

/// The marks of one file, with its text if it could be had.
struct Sheet<'m> {
    file: &'m str,
    text: Option<Rc<str>>,
    marks: Vec<&'m Mark>,
}

/// A heading (`name: title`) and below it the marked places, one snippet a file. Ends with a newline.
pub(crate) fn render(
    severity: Severity,
    name: &str,
    title: &str,
    marks: &[Mark],
    sources: &dyn SourceProvider,
    style: &Style,
) -> String {
    let sheets = sheets(marks, sources);
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.with_name(name).primary_title(title));
    for sheet in &sheets {
        for element in elements(sheet) {
            group = group.element(element);
        }
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.term_width(style.width.max(40)).render(&[group]);
    text.push('\n');
    // The renderer pads some lines with blanks, which only show in diffs and copied text.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn sheets<'m>(marks: &'m [Mark], sources: &dyn SourceProvider) -> Vec<Sheet<'m>> {
    let mut sheets: Vec<Sheet<'m>> = Vec::new();
    for mark in marks {
        match sheets.iter_mut().find(|sheet| sheet.file == mark.place.file) {
            Some(sheet) => sheet.marks.push(mark),
            None => {
                let text = sources.text(&mark.place.file);
                sheets.push(Sheet { file: &mark.place.file, text, marks: vec![mark] });
            }
        }
    }
    sheets
}

/// One snippet for the marks whose lines are there, and for each other mark its place and label in words.
fn elements<'s>(sheet: &'s Sheet<'_>) -> Vec<Element<'s>> {
    let mut elements = Vec::new();
    let mut without_text = sheet.marks.clone();
    if let Some(text) = &sheet.text {
        let mut snippet = Snippet::source(&**text).path(sheet.file);
        let mut shown = false;
        without_text.clear();
        for mark in &sheet.marks {
            let Some(span) = underline(text, &mark.place) else {
                without_text.push(mark);
                continue;
            };
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            snippet = snippet.annotation(kind.span(span).label(mark.label.as_str()));
            shown = true;
        }
        if shown {
            elements.push(snippet.into());
        }
    }
    for mark in without_text {
        let mut origin = Origin::path(sheet.file);
        if mark.place.line > 0 {
            origin = origin.line(mark.place.line as usize);
            if mark.place.column > 0 {
                origin = origin.char_column(mark.place.column as usize);
            }
        }
        elements.push(origin.into());
        elements.push(Level::NOTE.no_name().message(mark.label.as_str()).into());
    }
    elements
}
