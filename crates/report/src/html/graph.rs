//! A picture in the page that can be moved and enlarged. Without the script it is shown as large as it is and scrolls.

/// The figure around an SVG; nothing without one. `more` stands below it.
pub(super) fn figure(svg: &str, name: &str, more: &str) -> String {
    if svg.is_empty() {
        return String::new();
    }
    // In a page the name space is known, and what looks like a reference to elsewhere is not wanted.
    let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    let mut out = format!(
        "<figure class=\"graph\" role=\"group\" aria-label=\"{name}; arrow keys move it, plus and minus enlarge it, 0 shows \
         all\">\n<div class=\"bar\">"
    );
    for (value, name) in [("in", "Enlarge"), ("out", "Reduce"), ("all", "Show all"), ("one", "Full size")] {
        out += &format!("<button type=\"button\" value=\"{value}\">{name}</button>");
    }
    out += "<output aria-live=\"polite\"></output></div>\n<div class=\"view\">";
    out += &svg;
    out += "</div>\n";
    out += more;
    out + "</figure>\n"
}
