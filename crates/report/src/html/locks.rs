//! The page of `raceproof locks`: constructs with their judgement, the change, variables, the work-unit graph, formulas.

use ::locks::analysis::{Meeting, Need, NodeInfo, PairInfo, VariableInfo};
use ::locks::hunt::Judgement;
use base::{Place, Verdict};

use super::page::{
    Entry, Page, Row, Section, Spoken, article, capital, code, list, one_line, patch, table, ticks,
};
use super::source::Sheets;
use super::{escape, graph};
use crate::layout::{and, count, counted, seconds};
use crate::locks::text::{alike, basis, left_alone, name, path, suv_names, why};
use crate::locks::{ActlReport, ConstructReport, LocksReport, SuggestionReport, svg};
use crate::{SourceProvider, bounds, said};

/// So many rows of a table are shown; the others stand in the JSON.
const ROWS: usize = 500;
/// A graph of more nodes is not drawn into the page.
const DRAWN: usize = 600;

/// The whole page.
pub fn render(report: &LocksReport, sources: &dyn SourceProvider) -> String {
    let sheets = Sheets::new(sources);
    let mut constructs: Vec<&ConstructReport> = report.constructs.iter().collect();
    constructs.sort_by_key(|construct| match construct.judgement {
        Judgement::Superfluous => 0,
        Judgement::Alternative { .. } => 1,
        Judgement::Needed { .. } => 2,
        Judgement::Undecided { .. } => 3,
    });
    let entries = constructs.iter().zip(1..).map(|(one, number)| entry(one, number, &sheets)).collect();
    let sections = [formula(report), change(report), suggestions(report)];
    let more = [variables(report, &sheets), work_units(report), formulas(report)];
    let page = Page {
        verdict: verdict(report),
        lead: String::new(),
        facts: facts(report),
        before: sections.into_iter().flatten().collect(),
        list: "Synchronisation",
        entries,
        after: more.into_iter().flatten().collect(),
        schema: report.version,
    };
    page.render(&sheets)
}

fn verdict(report: &LocksReport) -> Spoken {
    let line = crate::locks::verdict_line(report, &one_line());
    let class = match report.exit_code() {
        0 => "good",
        1 if matches!(report.verdict, Verdict::Race | Verdict::Defect) => "bad",
        1 if report.actl.is_some() => "bad",
        _ => "open",
    };
    Spoken::new(&line, class)
}

fn facts(report: &LocksReport) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Files", list(&report.files, "at"))];
    if !report.flags.is_empty() {
        facts.push(("Compiler flags", code(&report.flags.join(" "))));
    }
    facts.push(("Bounds", escape::text(&bounds::describe(&report.bounds))));
    if !report.notes.is_empty() {
        facts.push(("Notes", list(&report.notes, "")));
    }
    if !report.rounds.is_empty() {
        facts.push(("Rounds", list(&report.rounds, "")));
    }
    if report.actl.is_none() {
        facts.push((
            "Every answer",
            "was checked on a changed program: what is superfluous can go, what is needed shows what goes wrong without it"
                .to_owned(),
        ));
    }
    if report.basis.executions > 0 {
        facts.push(("Rests on", ticks(&basis(report))));
    }
    let left_alone = left_alone(report);
    if !left_alone.is_empty() {
        facts.push(("Not judged", list(&left_alone, "")));
    }
    let checked =
        format!("{} checked; {}", counted(report.checks as u64, "program"), seconds(report.seconds));
    facts.push(("Work", checked));
    facts
}

fn entry(construct: &ConstructReport, number: usize, sheets: &Sheets<'_>) -> Entry {
    let what = &construct.what;
    let (word, why) = match &construct.judgement {
        Judgement::Superfluous => ("superfluous", "the program without it is as good".to_owned()),
        Judgement::Needed { evidence } => ("needed", format!("without it, {}", evidence.text)),
        Judgement::Alternative { evidence } => (
            "needed once the others are gone",
            format!("without it and those that are superfluous, {}", evidence.text),
        ),
        Judgement::Undecided { why } => ("undecided", why.clone()),
    };
    let at = format!("{}:{}", construct.place.file, construct.place.line);
    let title = format!("{} at {at}: {word}", capital(what));
    let class = match &construct.judgement {
        Judgement::Needed { .. } | Judgement::Alternative { .. } => "good",
        Judgement::Superfluous | Judgement::Undecided { .. } => "open",
    };
    let mut body =
        format!("<p><span class=\"chip {class}\">{word}</span> {}</p>\n<div class=\"sides\">\n", ticks(&why));
    body += &card(what, &construct.place, sheets);
    if let Judgement::Needed { evidence } | Judgement::Alternative { evidence } = &construct.judgement {
        let mut shown: Vec<&Place> = Vec::new();
        for place in evidence.places.iter().filter(|place| place.line > 0) {
            if !shown.iter().any(|one| (&one.file, one.line) == (&place.file, place.line)) {
                body += &card("what goes wrong without it", place, sheets);
                shown.push(place);
            }
        }
    }
    body += "</div>\n";
    if !construct.lines.is_empty() {
        let mut lines: Vec<String> = construct.lines.iter().map(u32::to_string).collect();
        lines.dedup();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        body += &format!("<p class=\"quiet\">Belongs together with {noun} {}.</p>\n", and(&lines));
    }
    let id = format!("construct-{number}");
    let article = article(&id, &title, &format!("{title} {why}"), &body);
    Entry { id, title, article }
}

fn card(label: &str, place: &Place, sheets: &Sheets<'_>) -> String {
    format!(
        "<section class=\"card side\">\n<p><strong>{}</strong><br><span class=\"where at\">{}</span></p>\n{}</section>\n",
        ticks(label),
        escape::text(&place.to_string()),
        sheets.snippet(place, label)
    )
}

/// What is to be changed.
fn change(report: &LocksReport) -> Option<Section> {
    let mut body = String::new();
    if let Some(repair) = &report.repair {
        let items: Vec<String> = (repair.steps.iter())
            .map(|step| {
                let [one, two] = step.lines;
                format!("{} (for the race on `{}` at lines {one} and {two})", step.text, step.variable)
            })
            .collect();
        if !items.is_empty() {
            body += &format!("<p>{}</p>\n", list(&items, ""));
        }
        if let Some(left) = &repair.left {
            body += &format!("<p class=\"reason\">Not repaired: {}</p>\n", ticks(left));
        }
    }
    if let Some(text) = &report.patch {
        let answer = match report.patch_verdict {
            Some(Verdict::RaceFree) => "The program with this change has been checked: it is race-free.",
            Some(_) => "The program with this change has been checked: it is not proved race-free.",
            None => "The program with this change has not been checked.",
        };
        body += &format!("<p>{answer} <code>git apply</code> takes it.</p>\n{}", patch(text));
    }
    (!body.is_empty()).then_some(Section { id: "change", title: "Proposed change", body })
}

fn suggestions(report: &LocksReport) -> Option<Section> {
    let one = |suggestion: &SuggestionReport| {
        format!("<p>{}</p>\n{}", ticks(&suggestion.text), patch(&suggestion.patch))
    };
    let body: String = report.suggestions.iter().map(one).collect();
    (!body.is_empty()).then_some(Section { id: "suggestions", title: "Cheaper ways", body })
}

/// The answer to a formula that was asked.
fn formula(report: &LocksReport) -> Option<Section> {
    let actl: &ActlReport = report.actl.as_ref()?;
    let mut body = format!("<p>{}</p>\n", code(&actl.formula));
    if let Some(why) = &actl.why {
        body += &format!("<p class=\"reason\">{}</p>\n", ticks(why));
    }
    for label in &actl.unknown_labels {
        body += &format!("<p>No step is labelled {}.</p>\n", code(label));
    }
    for evidence in &actl.evidence {
        let kind = if evidence.holds { "A witness" } else { "A path" };
        let says = if evidence.holds { "holds" } else { "fails" };
        let end = if evidence.end.is_empty() { String::new() } else { format!(": {}", evidence.end) };
        body += &format!(
            "<p>{kind}: {}; there {} {says}{}.</p>\n",
            escape::text(&path(evidence)),
            code(&evidence.formula),
            escape::text(&end)
        );
    }
    body += &format!("<p class=\"quiet\">{} looked at.</p>\n", counted(actl.states as u64, "state"));
    Some(Section { id: "formula", title: "The formula", body })
}

fn variables(report: &LocksReport, sheets: &Sheets<'_>) -> Option<Section> {
    let mut all: Vec<&VariableInfo> = report.variables.iter().collect();
    if all.is_empty() {
        return None;
    }
    all.sort_by_key(|variable| match variable.need {
        Need::NeedsProtection => 0,
        Need::Protected => 1,
        Need::SafeWithout => 2,
    });
    let columns = [
        ("variable", false),
        ("verdict", false),
        ("why", false),
        ("locks at all accesses", false),
        ("refined lockset", false),
    ];
    let all = alike(&all);
    let rows: Vec<Row> =
        all.iter().take(ROWS).map(|(variable, number)| row(variable, *number, sheets)).collect();
    let suv = match suv_names(report).as_slice() {
        [] => "no variable".to_owned(),
        names => names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", "),
    };
    let mut body = table("The shared variables", &columns, &rows);
    body += &cut_off(all.len());
    body += &format!("<p>SUV, the variables that no one lock guards at all their accesses: {suv}.</p>\n");
    Some(Section { id: "variables", title: "Variables", body })
}

fn row(variable: &VariableInfo, number: usize, sheets: &Sheets<'_>) -> Row {
    let (class, word) = match variable.need {
        Need::NeedsProtection => ("bad", "needs protection"),
        Need::Protected => ("good", "protected"),
        Need::SafeWithout => ("good", "safe without a lock"),
    };
    let locks = |names: &[String]| match names {
        [] => "none".to_owned(),
        names => names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", "),
    };
    let refined = match &variable.refined_candidates {
        None => "all locks".to_owned(),
        Some(names) => locks(names),
    };
    let reported = if variable.reported { "; reported" } else { "" };
    let mut why = ticks(&why(variable));
    for meeting in variable.meetings.iter().filter(|_| variable.need == Need::NeedsProtection).take(3) {
        why += &format!("<br>{}", met(meeting, sheets));
    }
    Row {
        cells: vec![
            code(&name(variable, number)),
            format!("<span class=\"chip {class}\">{word}</span>"),
            why,
            locks(&variable.candidates),
            format!("{refined} <span class=\"quiet\">({}{reported})</span>", escape::text(variable.state)),
        ],
        search: Some(format!("{} {word} {} {}", variable.name, variable.why, variable.candidates.join(" "))),
    }
}

/// Two accesses that can meet, with the lines of both.
fn met(meeting: &Meeting, sheets: &Sheets<'_>) -> String {
    let does = |writes: bool| if writes { "writes" } else { "reads" };
    let line = |place: &Place| match sheets.line(place) {
        Some(text) => format!("line {} ({})", place.line, code(&text)),
        None => format!("line {}", place.line),
    };
    format!(
        "{} ({}) {} in {}, {} ({}) {} in {}",
        escape::text(&meeting.first),
        escape::text(&said::who(&meeting.strands[0])),
        does(meeting.first_writes),
        line(&meeting.first_place),
        escape::text(&meeting.second),
        escape::text(&said::who(&meeting.strands[1])),
        does(meeting.second_writes),
        line(&meeting.second_place),
    )
}

fn cut_off(all: usize) -> String {
    match all.saturating_sub(ROWS) {
        0 => String::new(),
        n => format!("<p>and {n} more: <code>--format json</code> lists all.</p>\n"),
    }
}

fn work_units(report: &LocksReport) -> Option<Section> {
    if report.graph.is_empty() {
        return None;
    }
    let units = report.graph.iter().filter(|node| node.kind == "work unit").count();
    let says = counted(units as u64, "work unit");
    let columns = [
        ("node", false),
        ("what", false),
        ("executed by", false),
        ("line", true),
        ("reads", false),
        ("writes", false),
        ("locks held", false),
        ("after", false),
    ];
    let names: Vec<String> = report.graph.iter().enumerate().map(|(i, node)| node_name(i, node)).collect();
    let rows: Vec<Row> =
        report.graph.iter().enumerate().take(ROWS).map(|(i, n)| node(i, n, &names)).collect();
    let mut text = table("The nodes of the work-unit graph", &columns, &rows);
    text += &cut_off(report.graph.len());
    let words = format!("<details><summary>The graph as a table</summary>\n{text}</details>\n");
    let picture = if report.graph.len() <= DRAWN { svg(&report.graph) } else { String::new() };
    let mut body = format!(
        "<p>{says}: what a strand does between two synchronisations. An arrow means \u{201c}after, in every schedule\u{201d}.</p>\n"
    );
    body += &match picture.is_empty() {
        true => format!(
            "<p>The graph has {} nodes, too many for a page; <code>--graph FILE.svg</code> draws it.</p>\n{words}",
            report.graph.len()
        ),
        false => graph::figure(&picture, "The work-unit graph", &words),
    };
    Some(Section { id: "work-units", title: "Work-unit graph", body })
}

/// What a node is called in the table: work units by their name, others by kind and number.
fn node_name(index: usize, node: &NodeInfo) -> String {
    match node.kind {
        "work unit" => node.name.clone(),
        kind => format!("{kind} {index}"),
    }
}

fn node(index: usize, node: &NodeInfo, names: &[String]) -> Row {
    let what = match node.kind {
        "lock" | "unlock" => format!("{} {}", node.kind, code(&node.name)),
        kind => escape::text(kind),
    };
    let mut lines: Vec<u32> = node.lines.clone();
    lines.dedup();
    let line = match (lines.as_slice(), &node.place) {
        ([], Some(place)) => place.line.to_string(),
        ([], None) => String::new(),
        ([one], _) => one.to_string(),
        ([first, .., last], _) => format!("{first}\u{2013}{last}"),
    };
    let codes = |all: &[String]| all.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
    let after: Vec<String> =
        node.after.iter().filter_map(|&before| names.get(before as usize)).map(|n| escape::text(n)).collect();
    Row {
        cells: vec![
            escape::text(&names[index]),
            what,
            escape::text(&said::who(&node.strand)),
            line,
            codes(&node.reads),
            codes(&node.writes),
            codes(&node.locks),
            after.join(", "),
        ],
        search: None,
    }
}

fn formulas(report: &LocksReport) -> Option<Section> {
    if report.formulas.is_empty() {
        return None;
    }
    let mut all: Vec<&PairInfo> = report.formulas.iter().collect();
    all.sort_by_key(|pair| match pair.holds {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    });
    let columns =
        [("units", false), ("shared", false), ("formula", false), ("answer", false), ("states", true)];
    let row = |pair: &&PairInfo| {
        let (class, word) = match pair.holds {
            Some(true) => ("good", "holds"),
            Some(false) => ("open", "fails: they can be active at once"),
            None => ("open", "undecided"),
        };
        Row {
            cells: vec![
                escape::text(&format!("{}, {}", pair.first, pair.second)),
                pair.variables.iter().map(|name| code(name)).collect::<Vec<_>>().join(", "),
                code(&pair.formula),
                format!("<span class=\"chip {class}\">{word}</span>"),
                pair.states.to_string(),
            ],
            search: None,
        }
    };
    let rows: Vec<Row> = all.iter().take(ROWS).map(row).collect();
    let counts = &report.formula_counts;
    let open = match counts.undecided {
        0 => String::new(),
        n => format!(", {} undecided", count(n)),
    };
    let mut body = format!(
        "<p>For each two units that share a variable, one of them writing: never are both about to happen. {} checked: {} \
         hold, {} fail{open}.</p>\n",
        count(counts.checked),
        count(counts.hold),
        count(counts.fail)
    );
    body += &table("The formulas of sequentiality", &columns, &rows);
    body += &cut_off(all.len());
    Some(Section { id: "formulas", title: "Formulas", body })
}
