//! What a page in Markdown links to, and what can be linked to in it.

use std::collections::BTreeSet;

/// Of one page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Targets of links and images, in their order, of `[text](target)` and of `src` and `href` in HTML.
    pub(crate) links: Vec<String>,
    /// The anchors of headings, as GitHub makes them.
    pub(crate) anchors: BTreeSet<String>,
}

impl Page {
    pub(crate) fn of(text: &str) -> Page {
        let mut page = Page::default();
        let mut prose = String::new();
        let mut in_code = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            } else if !in_code {
                if let Some(heading) = heading(line) {
                    page.add_anchor(heading);
                }
                prose.push_str(line);
                prose.push('\n');
            }
        }
        let prose = without_code(&prose);
        let targets = [("](", ')'), ("src=\"", '"'), ("href=\"", '"')];
        page.links = targets.into_iter().flat_map(|(begin, end)| between(&prose, begin, end)).collect();
        page
    }

    fn add_anchor(&mut self, heading: &str) {
        let anchor = anchor(heading);
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|name| !self.anchors.contains(name));
        self.anchors.extend(free);
    }
}

/// The text of a heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.strip_prefix(' ')).flatten()
}

/// Letters in lower case, digits, hyphens and underlines, with a hyphen for each space; of links their text.
fn anchor(heading: &str) -> String {
    let mut text = heading.trim().to_owned();
    while let Some((begin, rest)) = text.split_once("](") {
        let Some((_, end)) = rest.split_once(')') else { break };
        text = format!("{begin}{end}");
    }
    let kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
    text.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The text without code in backticks, which may go on in the next line of a paragraph.
fn without_code(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        kept.push_str(&rest[..at]);
        let length = rest[at..].bytes().take_while(|&byte| byte == b'`').count();
        let (ticks, code) = rest[at..].split_at(length);
        let paragraph = code.find("\n\n").unwrap_or(code.len());
        match code[..paragraph].find(ticks) {
            Some(end) => rest = &code[end + length..],
            None => rest = code,
        }
    }
    kept + rest
}

/// What stands between each place of `begin` and the next `end`, if it holds no space: a target has none.
fn between(text: &str, begin: &str, end: char) -> Vec<String> {
    let found = text.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(target, _)| target);
    found.filter(|target| !target.is_empty() && !target.contains(char::is_whitespace)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_github() {
        let page =
            Page::of("# To run\n## `fuzz/run`, 2 ways\n### A [link](b.md) in_it\n## Twice\n## Twice\n#no heading\n");
        let expected = ["to-run", "fuzzrun-2-ways", "a-link-in_it", "twice", "twice-1"];
        assert_eq!(page.anchors, expected.map(str::to_owned).into());
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let page = Page::of(
            "[a](a.md) ![b](b.svg) [`c`](c.md#d)\n| `x[i](j)` | [e](e.md) |\ncode `over\ntwo [f](f.md)` lines\n\n\
             a lone ` tick\n\n[g](g.md)\n<a href=\"h.md\"><img src=\"i.png\"></a>\n\
             ```sh\n[k](k.md)\n```\n(two words](x y)\n",
        );
        assert_eq!(page.links, ["a.md", "b.svg", "c.md#d", "e.md", "g.md", "i.png", "h.md"]);
    }
}
