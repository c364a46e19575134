//! The work-unit graph as a picture: Graphviz DOT, and SVG with a layered layout of our own.
//!
//! As in P5's figures 3 and 5: work units are ellipses, lock and unlock nodes rectangles with rounded corners; barriers, forks and joins are
//! grey bars. Edges to the ways of a branch are dashed. A node's row is one below all that it comes after; nodes of a row stand in the order of the run.

use ::locks::analysis::NodeInfo;

use crate::said;

const COLUMN: usize = 190;
const ROW: usize = 76;
const BOX: (usize, usize) = (160, 44);
const MARGIN: usize = 30;
/// Longer labels are cut.
const LABEL: usize = 26;
/// More nodes than this are not drawn.
const MOST: usize = 2000;

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn list(names: &[String]) -> String {
    let mut text = names.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > 4 {
        text += ", ...";
    }
    text
}

/// A node's title, and what it touches.
fn labels(node: &NodeInfo) -> (String, String) {
    match node.kind {
        "work unit" => {
            let mut lines = node.lines.clone();
            lines.dedup();
            let at = match (lines.first(), lines.last()) {
                (Some(a), Some(b)) if a != b => format!(" ({a}-{b})"),
                (Some(a), _) => format!(" ({a})"),
                _ => String::new(),
            };
            let mut touches = Vec::new();
            if !node.reads.is_empty() {
                touches.push(format!("R {}", list(&node.reads)));
            }
            if !node.writes.is_empty() {
                touches.push(format!("W {}", list(&node.writes)));
            }
            (format!("{}{at}", node.name), touches.join("; "))
        }
        "lock" | "unlock" => (format!("{} {}", node.kind, node.name), String::new()),
        kind => {
            let at = node.place.as_ref().map_or(String::new(), |p| format!(" ({})", p.line));
            (format!("{kind}{at}"), String::new())
        }
    }
}

/// In Graphviz's language.
pub fn dot(nodes: &[NodeInfo]) -> String {
    let mut out = String::from("digraph work_units {\n  node [fontname=\"sans-serif\", fontsize=10];\n");
    for (i, node) in nodes.iter().take(MOST).enumerate() {
        let (title, touches) = labels(node);
        let shape = match node.kind {
            "work unit" => "shape=ellipse",
            "lock" | "unlock" => "shape=box, style=rounded",
            _ => "shape=box, style=filled, fillcolor=\"#e0e0e0\", height=0.2",
        };
        let text = if touches.is_empty() {
            quote(&title)
        } else {
            format!("{}\\n{}", quote(&title), quote(&touches))
        };
        out += &format!(
            "  n{i} [{shape}, label=\"{text}\", tooltip=\"{}\"];\n",
            quote(&said::who(&node.strand))
        );
    }
    for (i, node) in nodes.iter().take(MOST).enumerate() {
        // The ways of a branch are dashed.
        let style = if node.choices.is_empty() { "" } else { " [style=dashed]" };
        for &p in &node.after {
            out += &format!("  n{p} -> n{i}{style};\n");
        }
    }
    if nodes.len() > MOST {
        out += &format!("  more [shape=plaintext, label=\"{} further nodes\"];\n", nodes.len() - MOST);
    }
    out + "}\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn short(text: &str) -> String {
    if text.chars().count() <= LABEL {
        return escape(text);
    }
    let begin: String = text.chars().take(LABEL - 1).collect();
    escape(&format!("{begin}…"))
}

/// The picture in words, for those who do not see it.
fn in_words(nodes: &[NodeInfo]) -> String {
    const SAID: usize = 30;
    let name = |node: &NodeInfo| labels(node).0;
    let mut out = format!("{} nodes, time going down. ", nodes.len());
    for node in nodes.iter().filter(|node| !node.after.is_empty()).take(SAID) {
        let before: Vec<String> = node.after.iter().map(|&p| name(&nodes[p as usize])).collect();
        out += &format!("{} comes after {}. ", name(node), before.join(", "));
    }
    if nodes.len() > SAID {
        out += "And so on.";
    }
    out.trim_end().to_owned()
}

/// As SVG.
pub fn svg(nodes: &[NodeInfo]) -> String {
    let shown = &nodes[..nodes.len().min(MOST)];
    let mut rows = vec![0usize; shown.len()];
    for (i, node) in shown.iter().enumerate() {
        rows[i] = node.after.iter().map(|&p| rows[p as usize] + 1).max().unwrap_or(0);
    }
    let height = rows.iter().max().map_or(1, |r| r + 1);
    let mut filled = vec![0usize; height];
    let mut places = Vec::new();
    for &row in &rows {
        places.push(filled[row]);
        filled[row] += 1;
    }
    let widest = filled.iter().copied().max().unwrap_or(1).max(1);
    let centre = |i: usize| {
        let row = rows[i];
        // Rows are centred.
        let x = MARGIN + (2 * places[i] + widest - filled[row]) * COLUMN / 2 + COLUMN / 2;
        (x, MARGIN + row * ROW + BOX.1 / 2)
    };
    let (wide, high) = (2 * MARGIN + widest * COLUMN, 2 * MARGIN + height * ROW);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-labelledby=\"graph-title graph-text\">\n<title \
         id=\"graph-title\">Work-unit graph</title>\n<desc id=\"graph-text\">{}</desc>\n<defs><marker id=\"arrow\" \
         viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
         class=\"head\" d=\"M0,0 L8,4 L0,8 z\" fill=\"#606060\"/></marker></defs>\n<rect class=\"ground\" width=\"100%\" \
         height=\"100%\" fill=\"white\"/>\n",
        escape(&in_words(shown))
    );
    for (i, node) in shown.iter().enumerate() {
        // The ways of a branch are dashed.
        let way = !node.choices.is_empty();
        out += if way { "<g stroke-dasharray=\"5 3\">\n" } else { "" };
        for &p in &node.after {
            let ((x1, y1), (x2, y2)) = (centre(p as usize), centre(i));
            out += &format!(
                "<line class=\"edge\" x1=\"{x1}\" y1=\"{}\" x2=\"{x2}\" y2=\"{}\" stroke=\"#606060\" marker-end=\"url(#arrow)\"/>\n",
                y1 + BOX.1 / 2,
                y2 - BOX.1 / 2
            );
        }
        out += if way { "</g>\n" } else { "" };
    }
    for (i, node) in shown.iter().enumerate() {
        out += &drawn(node, centre(i));
    }
    if nodes.len() > MOST {
        let y = 2 * MARGIN + height * ROW - 8;
        out += &format!(
            "<text x=\"{MARGIN}\" y=\"{y}\">{} further nodes are not drawn</text>\n",
            nodes.len() - MOST
        );
    }
    out + "</svg>\n"
}

fn drawn(node: &NodeInfo, (x, y): (usize, usize)) -> String {
    let (title, touches) = labels(node);
    let (left, top) = (x - BOX.0 / 2, y - BOX.1 / 2);
    let mut out = format!("<g><title>{}</title>", escape(&said::who(&node.strand)));
    out += &match node.kind {
        "work unit" => format!(
            "<ellipse class=\"unit\" cx=\"{x}\" cy=\"{y}\" rx=\"{}\" ry=\"{}\" fill=\"#f4f8ff\" stroke=\"#4060a0\"/>",
            BOX.0 / 2,
            BOX.1 / 2
        ),
        "lock" | "unlock" => format!(
            "<rect class=\"lock\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"12\" fill=\"#fff8e8\" stroke=\"#a07020\"/>",
            BOX.0, BOX.1
        ),
        _ => format!(
            "<rect class=\"bar-node\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"20\" fill=\"#e0e0e0\" stroke=\"#808080\"/>",
            y - 10,
            BOX.0
        ),
    };
    if touches.is_empty() {
        out += &format!("<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>", y + 4, short(&title));
    } else {
        out += &format!(
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text><text class=\"quiet\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" \
             fill=\"#606060\" font-size=\"10\">{}</text>",
            y - 3,
            short(&title),
            y + 11,
            short(&touches)
        );
    }
    out + "</g>\n"
}
