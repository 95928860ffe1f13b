//! Changes of a text that leave everything around them as it is.

use std::collections::BTreeMap;

use super::{
    lexer::{Lexer, Token},
    render::Layout,
    tree::{Node, Object, Pair, Span, Top, Tree, Value},
};

/// Replacements in one text.
pub(super) struct Splices<'t> {
    pub(super) text: &'t str,
    pub(super) layout: Layout,
    changes: Vec<(Span, String)>,
}

impl<'t> Splices<'t> {
    pub(super) fn new(text: &'t str, layout: Layout) -> Self {
        Self { text, layout, changes: Vec::new() }
    }

    pub(super) fn replace(&mut self, span: Span, with: impl Into<String>) {
        self.changes.push((span, with.into()));
    }

    /// The text with all changes. Those at the same place follow each other as they were made.
    pub(super) fn apply(mut self) -> String {
        self.changes.sort_by_key(|(span, _)| (span.start, span.end));
        let mut changed = String::with_capacity(self.text.len() + 256);
        let mut at = 0;
        for (span, with) in &self.changes {
            debug_assert!(span.start >= at, "two changes of the same place");
            changed.push_str(&self.text[at..span.start.max(at)]);
            changed.push_str(with);
            at = at.max(span.end);
        }
        changed.push_str(&self.text[at..]);
        changed
    }

    /// The white space at the beginning of the line that `at` is in.
    pub(super) fn indent(&self, at: usize) -> &'t str {
        indent(self.text, at)
    }

    /// The end of the comma that follows `at`, if one does.
    fn comma(&self, at: usize) -> Option<Span> {
        match Lexer::new(self.text, at).next() {
            Ok((Token::Mark(','), span)) => Some(span),
            _ => None,
        }
    }

    /// Puts a pair behind the last one of an object.
    pub(super) fn add_pair(&mut self, object: &Object, lines: &[String]) {
        match object.pairs.last() {
            Some(last) => self.after(last.span.end, self.indent(last.span.start), lines, ""),
            None => self.fill(&object.braces, lines),
        }
    }

    /// Lines on their own below the last pair of an object.
    pub(super) fn block(&self, object: &Object, lines: &[String]) -> String {
        let indent = self.indent(object.pairs.last().map_or(object.braces.start, |pair| pair.span.start));
        format!("{}{indent}{}", self.layout.newline, self.layout.joined(lines, indent))
    }

    /// Puts new lines behind a place, at an indentation.
    fn after(&mut self, at: usize, indent: &str, lines: &[String], end: &str) {
        let text = format!("{}{indent}{}{end}", self.layout.newline, self.layout.joined(lines, indent));
        self.replace(at..at, text);
    }

    /// Puts the only lines between brackets, behind comments that may be there.
    fn fill(&mut self, brackets: &Span, lines: &[String]) {
        let inner = &self.text[brackets.start + 1..brackets.end - 1];
        let kept = inner.trim_end().len();
        let indent = self.indent(brackets.start).to_owned();
        let deeper = format!("{indent}{}", self.layout.unit);
        let newline = self.layout.newline;
        let (first, last) =
            (format!("{newline}{deeper}{}", self.layout.joined(lines, &deeper)), format!("{newline}{indent}"));
        let span = brackets.start + 1 + kept..brackets.end - 1;
        match self.changes.iter_mut().find(|(changed, _)| *changed == span) {
            // They are not the only ones: they follow those before them.
            Some((_, text)) => text.insert_str(text.len() - last.len(), &first),
            None => self.replace(span, format!("{first}{last}")),
        }
    }

    /// Puts elements at the end of an array.
    pub(super) fn add_elements(&mut self, array: &Node, elements: &[Vec<String>]) {
        let Value::Array(values) = &array.value else { return };
        let typed = self.layout.form == super::Form::Typed;
        let n = elements.len();
        // A comma follows every element, but the last one of typed text.
        let with_commas = |layout: &Layout, indent: &str| {
            let element = |(i, lines): (usize, &Vec<String>)| {
                let comma = if typed && i + 1 == n { "" } else { "," };
                layout.joined(lines, indent) + comma
            };
            elements.iter().enumerate().map(element).collect::<Vec<_>>()
        };
        let Some(last) = values.last() else {
            let indent = format!("{}{}", self.indent(array.span.start), self.layout.unit);
            let lines = with_commas(&self.layout, &indent);
            return self.fill(&array.span, &lines);
        };
        let indent = self.indent(last.span.start).to_owned();
        let lines = with_commas(&self.layout, &indent);
        match self.comma(last.span.end) {
            Some(comma) => self.after(comma.end, &indent, &lines, ""),
            None => {
                self.replace(last.span.end..last.span.end, ",");
                self.after(last.span.end, &indent, &lines, "");
            }
        }
    }

    /// Takes elements out of an array, whose numbers ascend.
    pub(super) fn remove_elements(&mut self, array: &Node, removed: &[usize]) {
        let Value::Array(values) = &array.value else { return };
        let stays_empty = removed.len() == values.len();
        for &index in removed {
            let span = &values[index].span;
            let comma = self.comma(span.end);
            let end = comma.map_or(span.end, |comma| comma.end);
            self.replace(self.line_start(span.start, end, stays_empty)..end, "");
        }
        // What is last now had a comma because something followed it.
        let has_no_comma = self.comma(values[values.len() - 1].span.end).is_none();
        let last_kept = (0..values.len()).rev().find(|index| !removed.contains(index));
        let last_goes = removed.contains(&(values.len() - 1));
        if let (true, true, Some(kept)) = (last_goes, has_no_comma, last_kept)
            && let Some(comma) = self.comma(values[kept].span.end)
        {
            self.replace(comma, "");
        }
    }

    /// The beginning of the line break and indentation before an element, when it has its lines for itself.
    fn line_start(&self, start: usize, end: usize, stays_empty: bool) -> usize {
        // The tool leaves a line of indentation in an empty array of typed text.
        let keeps_line = stays_empty && self.layout.form == super::Form::Typed;
        let is_followed_by_break = self.text[end..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
        if keeps_line || !is_followed_by_break {
            return start;
        }
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        let before = before.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        before.map_or(start, str::len)
    }

    /// Takes a pair out with its line.
    pub(super) fn remove_pair(&mut self, object: &Object, key: &str) {
        if let Some(Pair { span, .. }) = object.pair(key) {
            self.replace(self.line_start(span.start, span.end, false)..span.end, "");
        }
    }

    /// Takes out a top-level object with the white space before it.
    pub(super) fn remove_top(&mut self, start: usize, end: usize) {
        self.replace(self.text[..start].trim_end().len()..end, "");
    }

    /// Puts a top-level object that is first named at `named_at` where the tool writes it: objects stand in the order in
    /// which they are first named.
    pub(super) fn add_top(&mut self, tree: &Tree, named_at: usize, lines: &[String]) {
        let mut first_named = BTreeMap::new();
        tree.tops.iter().for_each(|top| pointers(&top.object, &mut first_named));
        let is_later = |top: &&Top| first_named.get(top.name.as_str()).is_some_and(|at| *at > named_at);
        let newline = self.layout.newline;
        if let Some(next) = tree.tops.iter().skip(1).find(is_later) {
            let start = top_start(self.text, next);
            return self.replace(start..start, format!("{}{newline}{newline}", self.layout.joined(lines, "")));
        }
        let end = self.text.trim_end().len();
        self.replace(end..end, format!("{newline}{newline}{}", self.layout.joined(lines, "")));
    }
}

/// Where the type stands before a top-level object's name.
pub(super) fn top_start(text: &str, top: &Top) -> usize {
    let before = text[..top.name_span.start].trim_end();
    before.strip_suffix(top.object.class.as_str()).map_or(top.name_span.start, str::len)
}

/// Where each name is first pointed to.
fn pointers<'t>(object: &'t Object, first: &mut BTreeMap<&'t str, usize>) {
    object.pairs.iter().for_each(|pair| pointers_in(&pair.value, first));
}

fn pointers_in<'t>(node: &'t Node, first: &mut BTreeMap<&'t str, usize>) {
    match &node.value {
        Value::Pointer(name) => drop(first.entry(name).or_insert(node.span.start)),
        Value::Array(values) => values.iter().for_each(|value| pointers_in(value, first)),
        Value::Object(object) => pointers(object, first),
        _ => {}
    }
}

/// The white space at the beginning of the line that `at` is in.
fn indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A part of a text as it is written elsewhere: with other line ends, and with `deeper` instead of the indentation that
/// its first line has. Texts over several lines stay as they are.
pub(super) fn moved(text: &str, span: Span, deeper: &str, newline: &str) -> String {
    let mut lexer = Lexer::new(text, span.start);
    let mut texts = Vec::new();
    while let Ok((token, place)) = lexer.next() {
        if token == Token::End || place.start >= span.end {
            break;
        }
        if matches!(token, Token::Text(_)) && text[place.clone()].contains('\n') {
            texts.push(place);
        }
    }
    let mut texts = texts.into_iter().peekable();
    let old = indent(text, span.start);
    let mut moved = String::with_capacity(span.len());
    let mut at = span.start;
    while let Some(length) = text[at..span.end].find('\n') {
        let end = at + length;
        if let Some(place) = texts.next_if(|place| place.start < end) {
            moved.push_str(&text[at..place.end]);
            at = place.end;
            continue;
        }
        moved.push_str(text[at..end].trim_end_matches('\r'));
        moved.push_str(newline);
        at = end + 1;
        if let Some(rest) = text[at..span.end].strip_prefix(old) {
            moved.push_str(deeper);
            at = span.end - rest.len();
        }
    }
    moved.push_str(&text[at..span.end]);
    moved
}
