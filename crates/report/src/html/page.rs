//! The frame that all pages share: head, verdict, what the answer rests on, contents with the filter, and the script.

use super::escape;
use super::source::Sheets;

const CSS: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// One thing of the list that the filter works on: a race, a group, a construct.
pub(super) struct Entry {
    pub id: String,
    pub title: String,
    pub article: String,
}

/// A part of the page with a heading of its own, after the list.
pub(super) struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub body: String,
}

/// A page before it is written down. Everything in it is HTML already.
#[derive(Default)]
pub(super) struct Page {
    pub verdict: Spoken,
    /// Between the verdict and what it rests on.
    pub lead: String,
    /// What the answer rests on: a name and what is said of it.
    pub facts: Vec<(&'static str, String)>,
    /// Before the list.
    pub before: Vec<Section>,
    /// What the list is called.
    pub list: &'static str,
    pub entries: Vec<Entry>,
    /// After the list.
    pub after: Vec<Section>,
    /// The version of the report's schema.
    pub schema: u32,
}

/// The verdict as the terminal says it, in two parts.
#[derive(Default)]
pub(super) struct Spoken {
    word: String,
    rest: String,
    class: &'static str,
}

impl Spoken {
    /// From the first line of the terminal's report. The class is its colour: `bad`, `good` or `open`.
    pub fn new(line: &str, class: &'static str) -> Spoken {
        let (word, rest) = line.trim_end().split_once(": ").unwrap_or((line.trim_end(), ""));
        Spoken { word: word.to_owned(), rest: rest.to_owned(), class }
    }

    fn heading(&self) -> String {
        let (word, rest) = (escape::text(&self.word), ticks(&self.rest));
        format!("<span class=\"verdict {}\">{word}</span> {rest}", self.class)
    }
}

impl Page {
    /// The whole file.
    pub fn render(&self, sheets: &Sheets<'_>) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
             content=\"{policy}\">\n<title>{title}</title>\n<style>{CSS}</style>\n</head>\n<body>\n{skip}<header>\n\
             <h1>{heading}</h1>\n</header>\n<main>\n{lead}{summary}{sections}{before}{contents}{articles}{after}</main>\n\
             <footer><p>Written by raceproof {version}; schema {schema} of the report.</p></footer>\n<script \
             type=\"application/json\" id=\"sources\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            policy = escape::policy(SCRIPT, CSS),
            title = escape::text(&format!("{}: {}", self.verdict.word, self.verdict.rest)),
            skip = self.skip(),
            heading = self.verdict.heading(),
            lead = self.lead,
            summary = self.summary(),
            sections = self.sections(),
            before = self.before.iter().map(section).collect::<String>(),
            contents = self.contents(),
            articles = self.entries.iter().map(|entry| entry.article.as_str()).collect::<String>(),
            after = self.after.iter().map(section).collect::<String>(),
            version = env!("CARGO_PKG_VERSION"),
            schema = self.schema,
            data = escape::json(&sheets.embedded()),
        )
    }

    fn skip(&self) -> String {
        match self.entries.is_empty() {
            true => String::new(),
            false => {
                let list = self.list.to_lowercase();
                format!("<a class=\"skip\" href=\"#findings\">To the {list}</a>\n")
            }
        }
    }

    fn summary(&self) -> String {
        let facts: String =
            self.facts.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).collect();
        format!(
            "<section class=\"card\" aria-labelledby=\"summary\">\n<h2 id=\"summary\" class=\"hidden\">What the answer \
             rests on</h2>\n<dl class=\"facts\">\n{facts}</dl>\n</section>\n"
        )
    }

    /// Links to the parts of a page that has several.
    fn sections(&self) -> String {
        let list = (!self.entries.is_empty()).then_some(("findings", self.list));
        let parts: Vec<(&str, &str)> = (self.before.iter().map(|part| (part.id, part.title)))
            .chain(list)
            .chain(self.after.iter().map(|part| (part.id, part.title)))
            .collect();
        if parts.len() < 2 {
            return String::new();
        }
        let link = |(id, title): &(&str, &str)| format!("<a href=\"#{id}\">{title}</a>");
        let links = parts.iter().map(link).collect::<Vec<_>>().join(" ");
        format!("<nav class=\"sections\" aria-label=\"Parts of this page\">{links}</nav>\n")
    }

    /// The list of entries, with the filter.
    fn contents(&self) -> String {
        if self.entries.is_empty() {
            return String::new();
        }
        let tools = "<div id=\"tools\" role=\"search\" hidden><label for=\"filter\">Filter</label> <input id=\"filter\" \
                     type=\"search\" autocomplete=\"off\" placeholder=\"variable, file, function, thread\"> <span \
                     id=\"count\" role=\"status\"></span></div>\n";
        let item =
            |entry: &Entry| format!("<li><a href=\"#{}\">{}</a></li>\n", entry.id, ticks(&entry.title));
        let items: String = self.entries.iter().map(item).collect();
        format!("<h2 id=\"findings\">{}</h2>\n{tools}<ul id=\"contents\">\n{items}</ul>\n", self.list)
    }
}

fn section(section: &Section) -> String {
    let Section { id, title, body } = section;
    format!("<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>\n{body}</section>\n")
}

/// An entry's own part of the page. `search` is what the filter looks in.
pub(super) fn article(id: &str, title: &str, search: &str, body: &str) -> String {
    format!(
        "<article id=\"{id}\" aria-labelledby=\"{id}-title\" data-search=\"{}\">\n<h3 id=\"{id}-title\">{}</h3>\n{body}\
         </article>\n",
        escape::text(search),
        ticks(title),
    )
}

/// A paragraph or, of several, a list.
pub(super) fn list(items: &[String], class: &str) -> String {
    let item = |text: &String| format!("<li class=\"{class}\">{}</li>", ticks(text));
    match items {
        [one] => format!("<span class=\"{class}\">{}</span>", ticks(one)),
        _ => format!("<ul>{}</ul>", items.iter().map(item).collect::<String>()),
    }
}

/// Named numbers side by side.
pub(super) fn numbers(all: &[(&str, String)]) -> String {
    let one = |(name, value): &(&str, String)| format!("<span>{name} <b>{}</b></span>", escape::text(value));
    format!("<div class=\"numbers\">{}</div>", all.iter().map(one).collect::<String>())
}

/// A column of a table: its heading, and whether it has numbers.
pub(super) type Column = (&'static str, bool);

/// A row of a table.
pub(super) struct Row {
    /// As HTML.
    pub cells: Vec<String>,
    /// What the filter looks in; not filtered without it.
    pub search: Option<String>,
}

/// A table that scrolls by itself where the page is narrow. The first column names the row.
pub(super) fn table(caption: &str, columns: &[Column], rows: &[Row]) -> String {
    let class = |number: bool| if number { " class=\"number\"" } else { "" };
    let mut out = format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\"><table class=\"plain\">\n<caption \
         class=\"hidden\">{caption}</caption>\n<thead><tr>"
    );
    for (name, number) in columns {
        out += &format!("<th scope=\"col\"{}>{name}</th>", class(*number));
    }
    out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        let search = row.search.as_ref().map(|words| format!(" data-search=\"{}\"", escape::text(words)));
        out += &format!("<tr{}>", search.unwrap_or_default());
        for (index, (cell, (_, number))) in row.cells.iter().zip(columns).enumerate() {
            let class = class(*number);
            out += &match index {
                0 => format!("<th scope=\"row\"{class}>{cell}</th>"),
                _ => format!("<td{class}>{cell}</td>"),
            };
        }
        out += "</tr>\n";
    }
    out + "</tbody>\n</table></div>\n"
}

/// With a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Code in a sentence.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escape::text(text))
}

/// A sentence in which what stands between backquotes is code.
pub(super) fn ticks(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape::text(text);
    }
    let part = |(index, part): (usize, &&str)| if index % 2 == 1 { code(part) } else { escape::text(part) };
    parts.iter().enumerate().map(part).collect()
}

/// The style in which the terminal's lines are taken over: on one line each.
pub(super) fn one_line() -> crate::Style {
    crate::Style { width: usize::MAX / 2, ..crate::Style::default() }
}

/// A change of files, added and removed lines in their colours.
pub(super) fn patch(text: &str) -> String {
    let line = |line: &str| {
        let class = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++") => "line added",
            Some(b'-') if !line.starts_with("---") => "line removed",
            Some(b'@') => "line place",
            _ => "line",
        };
        format!("<span class=\"{class}\">{}\n</span>", escape::text(line))
    };
    format!("<pre class=\"source patch\"><code>{}</code></pre>\n", text.lines().map(line).collect::<String>())
}
