//! Source snippets with several labelled places, by `annotate-snippets`.

use std::rc::Rc;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use base::Place;
use unicode_width::UnicodeWidthStr;

use crate::layout::and;
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
    /// What is written beside each mark: its label, or as much of it as there is room for.
    beside: Vec<String>,
    /// By lines: what there is no room for beside the marks.
    below: Vec<(Vec<u32>, String)>,
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
    let sheets = sheets(marks, sources, style);
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let room = style.width.max(40).saturating_sub(name.width() + 2);
    let title = textwrap::fill(title, textwrap::Options::new(room.max(20)).break_words(false));
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

fn sheets<'m>(marks: &'m [Mark], sources: &dyn SourceProvider, style: &Style) -> Vec<Sheet<'m>> {
    let mut sheets: Vec<Sheet<'m>> = Vec::new();
    for mark in marks {
        match sheets.iter_mut().find(|sheet| sheet.file == mark.place.file) {
            Some(sheet) => sheet.marks.push(mark),
            None => {
                let text = sources.text(&mark.place.file);
                let (marks, beside, below) = (vec![mark], Vec::new(), Vec::new());
                sheets.push(Sheet { file: &mark.place.file, text, marks, beside, below });
            }
        }
    }
    for sheet in &mut sheets {
        sheet.place_labels(style);
    }
    sheets
}

impl Sheet<'_> {
    /// Decides what stands beside the marks and what below the snippet: the renderer does not wrap labels.
    fn place_labels(&mut self, style: &Style) {
        let last = self.marks.iter().map(|mark| mark.place.line).max().unwrap_or(0);
        let gutter = last.to_string().len() + " | ".len();
        for mark in &self.marks {
            let room = style.width.max(40).saturating_sub(gutter + self.column(mark));
            if mark.label.width() <= room {
                self.beside.push(mark.label.clone());
                continue;
            }
            // What comes after the first comma is said below; if that is not enough, everything.
            let (beside, below) = match mark.label.split_once(", ") {
                Some((short, rest)) if short.width() <= room => (short, rest),
                _ => ("", mark.label.as_str()),
            };
            self.beside.push(beside.to_owned());
            match self.below.iter_mut().find(|(_, said)| said == below) {
                Some((lines, _)) if lines.contains(&mark.place.line) => {}
                Some((lines, _)) => lines.push(mark.place.line),
                None => self.below.push((vec![mark.place.line], below.to_owned())),
            }
        }
        self.below.iter_mut().for_each(|(lines, _)| lines.sort_unstable());
        self.below.sort();
        let room = style.width.max(40).saturating_sub(gutter + "= ".len());
        for (lines, said) in &mut self.below {
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
            let note = format!("{noun} {}: {said}", and(&numbers));
            *said = textwrap::fill(&note, textwrap::Options::new(room).break_words(false));
        }
    }

    /// Where the label of a mark begins: after what is underlined, or below it where several marks share a line.
    fn column(&self, mark: &Mark) -> usize {
        let Some(text) = &self.text else { return 0 };
        let Some(span) = underline(text, &mark.place) else { return 0 };
        let begin = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let shares = |other: &&&Mark| other.place.line == mark.place.line;
        let to = if self.marks.iter().filter(shares).count() > 1 { span.start } else { span.end + 1 };
        // The renderer shows a tab as four blanks.
        text[begin..to.min(text.len())].replace('\t', "    ").width()
    }
}

/// One snippet for the marks whose lines are there, and for each other mark its place and label in words.
fn elements<'s>(sheet: &'s Sheet<'_>) -> Vec<Element<'s>> {
    let mut elements = Vec::new();
    let mut without_text = sheet.marks.clone();
    if let Some(text) = &sheet.text {
        let mut snippet = Snippet::source(&**text).path(sheet.file);
        let mut shown = false;
        without_text.clear();
        for (mark, beside) in sheet.marks.iter().zip(&sheet.beside) {
            let Some(span) = underline(text, &mark.place) else {
                without_text.push(mark);
                continue;
            };
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(span);
            snippet = snippet.annotation(match beside.is_empty() {
                true => annotation,
                false => annotation.label(beside.as_str()),
            });
            shown = true;
        }
        if shown {
            elements.push(snippet.into());
            let notes =
                sheet.below.iter().map(|(_, note)| Level::NOTE.no_name().message(note.as_str()).into());
            elements.extend(notes);
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
