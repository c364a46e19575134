//! The ordering graph of the races as a picture: Graphviz DOT, and SVG with a layered layout of our own.
//!
//! Each thread is a column, each computation event of a race a box in it, time goes down: an event's row is one below all
//! events that are ordered before it (longest path). Grey arrows are synchronisation, dotted ones event control; a race is
//! a line without arrow heads: red and thick in a first partition, orange otherwise, dashed where it was not validated.

use ::triage::Triage;
use ::triage::drawing::{Drawing, EdgeKind};
use trace::Trace;

const COLUMN: usize = 260;
const ROW: usize = 64;
const BOX: (usize, usize) = (200, 34);
const MARGIN: usize = 40;
/// Longer labels are cut.
const LABEL: usize = 30;
/// So many races are told in words beside the picture.
const SAID: usize = 20;

/// How a race is drawn.
struct Line {
    colour: &'static str,
    width: u32,
    dashed: bool,
}

fn line(triage: &Triage, race: u32) -> Line {
    let race = &triage.races[race as usize];
    let first = triage.partitions[race.partition as usize].first;
    Line {
        colour: if first { "#c00000" } else { "#e08000" },
        width: if first { 3 } else { 2 },
        dashed: !race.feasibility.is_feasible(),
    }
}

/// By node: what it does, from the races that it takes part in.
fn labels(trace: &Trace, triage: &Triage, drawing: &Drawing) -> Vec<(String, String)> {
    let mut labels = vec![(String::new(), String::new()); drawing.nodes.len()];
    for &(race, a, b) in &drawing.races {
        let site = &triage.races[race as usize].sites[0];
        for node in [a, b] {
            let of = |id| trace.event(id).thread.0 == drawing.nodes[node as usize].thread;
            let id = if of(site.first) { site.first } else { site.second };
            let e = trace.event(id);
            let kind = if e.op.is_write() { "writes" } else { "reads" };
            labels[node as usize] = (
                format!("{kind} {}", trace.names.variable(site.variable)),
                trace.names.location(e.location).into_owned(),
            );
        }
    }
    labels
}

/// In Graphviz's language.
pub fn dot(trace: &Trace, triage: &Triage) -> String {
    let Some(drawing) = &triage.drawing else { return String::new() };
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out =
        String::from("digraph triage {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n");
    let labels = labels(trace, triage, drawing);
    let mut thread = u32::MAX;
    for (i, node) in drawing.nodes.iter().enumerate() {
        if node.thread != thread {
            if thread != u32::MAX {
                out += "  }\n";
            }
            thread = node.thread;
            let name = trace.names.thread(trace::ThreadId(thread));
            out += &format!("  subgraph cluster_{thread} {{\n    label=\"{}\";\n", quote(&name));
        }
        out += &format!("    n{i} [label=\"{}\\n{}\"];\n", quote(&labels[i].0), quote(&labels[i].1));
    }
    if thread != u32::MAX {
        out += "  }\n";
    }
    for &(a, b, kind) in &drawing.edges {
        let style = match kind {
            EdgeKind::Thread => "color=\"#404040\"",
            EdgeKind::Synchronisation => "color=\"#a0a0a0\"",
            EdgeKind::Control => "color=\"#4060c0\", style=dotted, constraint=false",
        };
        out += &format!("  n{a} -> n{b} [{style}];\n");
    }
    for &(race, a, b) in &drawing.races {
        let line = line(triage, race);
        let style = if line.dashed { ", style=dashed" } else { "" };
        out += &format!(
            "  n{a} -> n{b} [dir=none, constraint=false, color=\"{}\", penwidth={}{style}];\n",
            line.colour, line.width
        );
    }
    out + "}\n"
}

/// By node: its row.
fn rows(drawing: &Drawing) -> Vec<usize> {
    let ordered: Vec<(usize, usize)> = drawing
        .edges
        .iter()
        .filter(|e| e.2 != EdgeKind::Control)
        .map(|e| (e.0 as usize, e.1 as usize))
        .collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); drawing.nodes.len()];
    let mut waits = vec![0usize; drawing.nodes.len()];
    for &(a, b) in &ordered {
        after[a].push(b);
        waits[b] += 1;
    }
    let mut rows = vec![0; drawing.nodes.len()];
    let mut ready: Vec<usize> = (0..rows.len()).filter(|&n| waits[n] == 0).collect();
    while let Some(n) = ready.pop() {
        for &m in &after[n] {
            rows[m] = rows[m].max(rows[n] + 1);
            waits[m] -= 1;
            if waits[m] == 0 {
                ready.push(m);
            }
        }
    }
    rows
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The end of a long text is what matters: the line of a place.
fn short(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= LABEL {
        return escape(text);
    }
    let end: String = letters[letters.len() - (LABEL - 1)..].iter().collect();
    escape(&format!("…{end}"))
}

/// As SVG.
pub fn svg(trace: &Trace, triage: &Triage) -> String {
    let Some(drawing) = &triage.drawing else { return String::new() };
    let rows = rows(drawing);
    let mut threads: Vec<u32> = drawing.nodes.iter().map(|n| n.thread).collect();
    threads.dedup();
    let column = |t: u32| threads.iter().position(|&u| u == t).unwrap_or(0);
    let centre = |n: usize| {
        let x = MARGIN + column(drawing.nodes[n].thread) * COLUMN + BOX.0 / 2;
        (x, MARGIN + 30 + rows[n] * ROW + BOX.1 / 2)
    };
    let width = 2 * MARGIN + threads.len().max(1) * COLUMN;
    let height = 2 * MARGIN + 60 + (rows.iter().max().unwrap_or(&0) + 1) * ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-labelledby=\"graph-title graph-text\">\n<title \
         id=\"graph-title\">Ordering graph of the races</title>\n<desc id=\"graph-text\">{}</desc>\n<defs><marker \
         id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
         class=\"head\" d=\"M0,0 L8,4 L0,8 z\" fill=\"#808080\"/></marker></defs>\n<rect class=\"ground\" width=\"100%\" \
         height=\"100%\" fill=\"white\"/>\n",
        escape(&in_words(trace, triage, drawing))
    );
    for &t in &threads {
        let name = trace.names.thread(trace::ThreadId(t));
        let x = MARGIN + column(t) * COLUMN + BOX.0 / 2;
        let y = MARGIN + 10;
        out += &format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
            escape(&name)
        );
    }
    out += &lines(triage, drawing, centre);
    for (i, (does, place)) in labels(trace, triage, drawing).iter().enumerate() {
        let (x, y) = centre(i);
        let (left, top) = (x - BOX.0 / 2, y - BOX.1 / 2);
        out += &format!(
            "<g><title>{}</title><rect class=\"unit\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"4\" \
             fill=\"#f8f8f8\" stroke=\"#606060\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text class=\"quiet\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#606060\" font-size=\"10\">{}</text></g>\n",
            escape(&format!("{does} at {place}")),
            BOX.0,
            BOX.1,
            y - 3,
            short(does),
            y + 11,
            short(place)
        );
    }
    let left_out = match drawing.left_out {
        0 => String::new(),
        n => format!(" {n} further races are not drawn."),
    };
    out += &format!(
        "<text class=\"quiet\" x=\"{MARGIN}\" y=\"{}\" fill=\"#606060\">red: first partition; orange: possible artifact; dashed: not \
         validated; grey: synchronisation; dotted: event control.{left_out}</text>\n</svg>\n",
        height - 16
    );
    out
}

/// The picture in words, for those who do not see it.
fn in_words(trace: &Trace, triage: &Triage, drawing: &Drawing) -> String {
    let labels = labels(trace, triage, drawing);
    let name = |node: u32| {
        let (does, place) = &labels[node as usize];
        let thread = trace.names.thread(trace::ThreadId(drawing.nodes[node as usize].thread));
        format!("{thread} {does} at {place}")
    };
    let mut out = String::new();
    for &(race, a, b) in drawing.races.iter().take(SAID) {
        let first = triage.partitions[triage.races[race as usize].partition as usize].first;
        let kind = if first { "To fix first" } else { "Possible artifact" };
        out += &format!("{kind}: {} races with {}. ", name(a), name(b));
    }
    let more = drawing.races.len().saturating_sub(SAID) + drawing.left_out;
    if more > 0 {
        out += &format!("{more} further races.");
    }
    out.trim_end().to_owned()
}

fn lines(triage: &Triage, drawing: &Drawing, centre: impl Fn(usize) -> (usize, usize)) -> String {
    let mut out = String::new();
    for &(a, b, kind) in &drawing.edges {
        let ((x1, mut y1), (x2, mut y2)) = (centre(a as usize), centre(b as usize));
        let style = match kind {
            EdgeKind::Thread => "class=\"edge\" stroke=\"#404040\"",
            EdgeKind::Synchronisation => "class=\"edge\" stroke=\"#a0a0a0\"",
            EdgeKind::Control => "class=\"control\" stroke=\"#4060c0\" stroke-dasharray=\"2 3\"",
        };
        if kind != EdgeKind::Control {
            (y1, y2) = (y1 + BOX.1 / 2, y2 - BOX.1 / 2);
        }
        out += &format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style} marker-end=\"url(#arrow)\"/>\n"
        );
    }
    for &(race, a, b) in &drawing.races {
        let ((x1, y1), (x2, y2)) = (centre(a as usize), centre(b as usize));
        let line = line(triage, race);
        let dashes = if line.dashed { " stroke-dasharray=\"7 4\"" } else { "" };
        let class = if line.width > 2 { "first" } else { "later" };
        out += &format!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{}\" stroke-width=\"{}\" \
             stroke-opacity=\"0.6\"{dashes}/>\n",
            line.colour, line.width
        );
    }
    out
}
