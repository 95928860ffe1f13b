//! Programs as text: labels, blocks and the head (rules Y91, Y93).

use super::{MAX_BLOCKS, names, phrase::Phrases, quoted};
use crate::soup::{
    Code,
    code::{Statement, StatementIdx},
};

/// The text of programs, in order. Reading it with the same tables gives the same programs.
///
/// # Source
/// Rules Y90 to Y96.
#[must_use]
pub fn write<'a>(programs: impl IntoIterator<Item = &'a Code>) -> String {
    let mut text = format!("{}\n", super::HEADER);
    for code in programs {
        text.push('\n');
        Writer { code, phrases: Phrases::new(code), shape: Shape::of(code), text: &mut text, open: Vec::new() }
            .program();
    }
    text
}

/// One statement as its line of the text, with labels for all its targets: what a debugger shows.
///
/// # Panics
/// When `index` is not less than the number of statements.
#[must_use]
pub fn statement_line(code: &Code, index: StatementIdx) -> String {
    let mut text = String::new();
    let phrases = Phrases::new(code);
    phrases.statement(&mut text, index, false);
    text
}

/// Which branches open blocks, and which statements need labels.
struct Shape {
    opens: Vec<bool>,
    labelled: Vec<bool>,
}

impl Shape {
    fn of(code: &Code) -> Self {
        let count = code.statements().len();
        let mut shape = Self { opens: vec![false; count], labelled: vec![false; count + 1] };
        let mut open: Vec<StatementIdx> = Vec::new();
        for (index, &statement) in code.statements().iter().enumerate() {
            let next = index as u32 + 1;
            while open.last().is_some_and(|&end| end < next) {
                open.pop();
            }
            let enclosing = open.last().copied().unwrap_or(count as u32);
            let end = match statement {
                Statement::If { end, .. } | Statement::ScriptRv { otherwise: end, .. } => Some(end),
                _ => None,
            };
            if let Some(end) = end.filter(|&end| end >= next && end <= enclosing && open.len() < MAX_BLOCKS) {
                shape.opens[index] = true;
                open.push(end);
            } else {
                shape.refer(code, statement);
            }
        }
        if code.program().start != 0 {
            shape.label(code.index_of(code.program().start));
        }
        shape
    }

    fn refer(&mut self, code: &Code, statement: Statement) {
        match statement {
            Statement::If { end: target, .. }
            | Statement::Goto(target)
            | Statement::End(target)
            | Statement::Gosub(target) => self.label(Some(target)),
            Statement::Task { label, .. } => self.label(code.statement_at_or_below(label)),
            _ => {}
        }
    }

    fn label(&mut self, index: Option<StatementIdx>) {
        if let Some(index) = index {
            self.labelled[index as usize] = true;
        }
    }
}

struct Writer<'a> {
    code: &'a Code,
    phrases: Phrases<'a>,
    shape: Shape,
    text: &'a mut String,
    /// Ends of the open blocks, outermost first.
    open: Vec<StatementIdx>,
}

impl Writer<'_> {
    fn program(&mut self) {
        self.head();
        self.text.push_str("{\n");
        for index in 0..self.code.statements().len() as u32 {
            self.close(index);
            self.label(index);
            self.line(index);
        }
        let end = self.code.statements().len() as u32;
        self.close(end);
        self.label(end);
        self.text.push_str("}\n");
    }

    fn head(&mut self) {
        let program = self.code.program();
        for (index, string) in program.strings.iter().enumerate() {
            *self.text += &format!("${index} = {}\n", quoted(string));
        }
        for (index, value) in program.locals.iter().enumerate() {
            *self.text += &format!("{}{index} = {value}\n", names::LOCAL);
        }
        let name = &program.name;
        if names::is_identifier(name) && !names::is_reserved(name) {
            self.text.push_str(name);
        } else {
            self.text.push_str(&quoted(name.as_bytes()));
        }
        if program.start != 0 {
            *self.text += &format!(" (Execution starts at #{:02X})", program.start);
        }
        self.text.push('\n');
    }

    fn close(&mut self, index: StatementIdx) {
        while self.open.last() == Some(&index) {
            self.open.pop();
            self.indent();
            self.text.push_str("}\n");
        }
    }

    fn label(&mut self, index: StatementIdx) {
        if !self.shape.labelled[index as usize] {
            return;
        }
        if index != 0 {
            self.text.push('\n');
        }
        self.indent();
        *self.text += &format!("#{:02X}:\n", self.code.offset(index));
    }

    fn line(&mut self, index: StatementIdx) {
        self.indent();
        let opens = self.shape.opens[index as usize];
        self.phrases.statement(self.text, index, opens);
        self.text.push('\n');
        if opens {
            self.indent();
            self.text.push_str("{\n");
            match self.code.statements()[index as usize] {
                Statement::If { end, .. } | Statement::ScriptRv { otherwise: end, .. } => self.open.push(end),
                _ => {}
            }
        }
    }

    fn indent(&mut self) {
        for _ in 0..=self.open.len() {
            self.text.push_str("  ");
        }
    }
}
