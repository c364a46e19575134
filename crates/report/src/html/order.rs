//! In which order the races of a report are best repaired: groups with links to the races.

use super::escape;
use super::graph;
use super::page::Section;
use crate::layout::counted;
use crate::triage::Order;

/// The part of the page; nothing if there is nothing to say. `link` gives where a race stands, by its number, and its title.
pub(super) fn section(order: &Order, link: impl Fn(usize) -> Option<(String, String)>) -> Option<Section> {
    let groups = order.groups();
    if groups.is_empty() {
        return None;
    }
    let mut body = String::from("<ol class=\"order\">\n");
    for group in &groups {
        let (class, word) =
            if group.first { ("bad", "fix first") } else { ("open", "possible artifact of earlier ones") };
        body += &format!("<li><span class=\"chip {class}\">{word}</span>");
        match group.may_explain {
            0 => {}
            n => {
                body += &format!(
                    " <span class=\"quiet\">may explain {}</span>",
                    counted(n as u64, "other report")
                )
            }
        }
        body += "<ul>";
        let mut told: Vec<String> = Vec::new();
        for (id, title) in group.races.iter().filter_map(|&number| link(number)) {
            if !told.contains(&id) {
                body += &format!("<li><a href=\"#{id}\">{}</a></li>", super::page::ticks(&title));
                told.push(id);
            }
        }
        body += "</ul></li>\n";
    }
    body += "</ol>\n";
    if order.without > 0 {
        let races = counted(order.without as u64, "race");
        body +=
            &format!("<p class=\"quiet\">{} not in the run that was triaged.</p>\n", escape::text(&races));
    }
    Some(Section { id: "order", title: "Order to fix", body })
}

/// The ordering graph as a part of the page of its own; nothing if there is none.
pub(super) fn graph(order: &Order) -> Option<Section> {
    let body = graph::figure(
        &order.picture,
        "The ordering graph of the races",
        "<figcaption>The run that the order comes from: a column for each thread, time going down, a box for each access \
         that takes part in a race. The list above says in words what is drawn here.</figcaption>\n",
    );
    (!body.is_empty()).then_some(Section { id: "graph", title: "Ordering graph", body })
}
