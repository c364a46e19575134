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
        let room = |mark: &Mark| style.width.max(40).saturating_sub(gutter + self.column(mark));
        if self.marks.iter().all(|mark| mark.label.width() <= room(mark)) {
            self.beside = self.marks.iter().map(|mark| mark.label.clone()).collect();
            return;
        }
        let (mut beside_all, mut below): (Vec<String>, Vec<(Vec<u32>, String)>) = (Vec::new(), Vec::new());
        for mark in &self.marks {
            // What comes after the first comma is said below; if that is not enough, or does not say of whom, everything.
            let rest = |of: &Mark| of.label.split_once(", ").map(|(_, rest)| rest.to_owned());
            let doubt = |other: &&&Mark| other.place.line == mark.place.line && rest(other) != rest(mark);
            let alone = !self.marks.iter().any(|other| doubt(&other));
            // Of a line with a mark that is described below alone, all marks are.
            let fits = |of: &Mark| of.label.split(", ").next().is_some_and(|short| short.width() <= room(of));
            let whole = self.marks.iter().any(|other| other.place.line == mark.place.line && !fits(other));
            let (beside, said) = match mark.label.split_once(", ") {
                Some((short, _)) if whole && fits(mark) => (short, mark.label.as_str()),
                Some((short, rest)) if alone && fits(mark) => (short, rest),
                None if mark.label.width() <= room(mark) => (mark.label.as_str(), ""),
                _ => ("", mark.label.as_str()),
            };
            beside_all.push(beside.to_owned());
            match below.iter_mut().find(|(_, one)| one == said) {
                _ if said.is_empty() => {}
                Some((lines, _)) if lines.contains(&mark.place.line) => {}
                Some((lines, _)) => lines.push(mark.place.line),
                None => below.push((vec![mark.place.line], said.to_owned())),
            }
        }
        (self.beside, self.below) = (beside_all, below);
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
        // The last mark of a line has its label beside it, unless another begins there too.
        let later = |other: &&&Mark| {
            other.place.line == mark.place.line
                && underline(text, &other.place).is_some_and(|other| other.start >= span.start)
        };
        let shared = self.marks.iter().filter(later).count() > 1;
        let end = if shared { span.start } else { span.end };
        // The renderer shows a tab as four blanks.
        text[begin..end].replace('\t', "    ").width() + usize::from(!shared)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySources;

    #[test]
    fn labels_that_do_not_fit_are_said_below() {
        let sources = MemorySources::default().with("a.c", "int x;\n\tx = 1; x = 2;é\nx\u{e9} = 3;\n");
        let mark = |line, column, label: &str| Mark {
            place: Place { file: "a.c".into(), line, column },
            label: label.into(),
            primary: true,
        };
        let show = |marks: &[Mark], width| {
            let style = Style { width, ..Style::default() };
            render(Severity::Error, "race", "two writes", marks, &sources, &style)
        };
        let marks = [
            mark(2, 4, "thread 1 writes, holding the mutex"),
            mark(2, 11, "thread 2 writes, no lock held"),
            mark(3, 5, "thread 3 writes, no lock held"),
        ];
        for width in 0..90 {
            let text = show(&marks, width);
            for line in text.lines() {
                assert!(line.width() <= width.max(40), "{width}: {line}");
            }
            for said in ["thread 1 writes", "holding", "thread 2 writes", "no lock held", "thread 3 writes"] {
                assert!(text.contains(said), "{width}: {text}");
            }
        }
        assert!(show(&marks, 80).contains("^^^^ thread 3 writes, no lock held"));
        assert!(!show(&marks[2..], 80).contains("= line"));
    }
}
