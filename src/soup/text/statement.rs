//! Reading statements (rules Y92, Y93).

use super::{
    builder::LabelRef,
    cursor::hexadecimal,
    error::Slip,
    lex::Kind,
    value::{Head, Mode, Sentence},
};
use crate::{defs::FunctionKind, soup::op};

/// What must or may follow a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// A block, whose end belongs into the four bytes there.
    Block { patch: usize },
    /// A block that ends seven bytes behind this offset, or none.
    ScriptRv { start: u32 },
    /// Nothing: it says where it goes.
    Complete,
}

/// The words before a call.
#[derive(Clone, Copy, Default)]
struct Prefix {
    is_alt: bool,
    forced: Option<FunctionKind>,
}

impl Sentence<'_, '_> {
    /// A branch, from behind its `if`.
    pub(super) fn branch(&mut self) -> Result<Branch, Slip> {
        if self.cursor.is_sign("<") {
            return self.script_rv();
        }
        self.builder.bytes.push(op::IF);
        loop {
            self.value(Mode::Comparison)?;
            self.comparison()?;
            self.value(Mode::Comparison)?;
            let conjunction = self.conjunction();
            self.builder.bytes.push(conjunction);
            if conjunction == 0 {
                break;
            }
        }
        if self.cursor.takes_word("else") {
            self.label_operand()?;
            return Ok(Branch::Complete);
        }
        let patch = self.builder.bytes.len();
        self.builder.u32(0);
        Ok(Branch::Block { patch })
    }

    fn comparison(&mut self) -> Result<(), Slip> {
        let signs = ["=", "!=", "<", ">", "<=", ">="];
        let found = signs.iter().position(|sign| self.cursor.is_sign(sign));
        let Some(byte) = found else { return Err(self.cursor.expected("a comparison: = != < > <= >=")) };
        self.cursor.at += 1;
        if byte == 0 && self.cursor.is_sign("=") {
            return Err(Slip::new(self.cursor.span(), "a comparison has one = here, not two"));
        }
        self.builder.bytes.push(byte as u8);
        Ok(())
    }

    fn conjunction(&mut self) -> u8 {
        if self.cursor.takes_word("and") {
            1
        } else if self.cursor.takes_word("or") {
            2
        } else {
            0
        }
    }

    fn script_rv(&mut self) -> Result<Branch, Slip> {
        let start = self.builder.offset();
        self.cursor.sign("<")?;
        if !self.cursor.takes_word("ScriptRv") {
            return Err(self.cursor.expected("ScriptRv"));
        }
        self.angle_equals()?;
        let expected = self.cursor.at_most(255, "a byte")?;
        self.builder.bytes.extend([op::SCRIPT_RV, expected as u8]);
        let skips = self.cursor.takes_word("skip");
        if skips {
            let padding = self.skipped()?;
            self.builder.bytes.push(op::RETURN);
            self.builder.bytes.extend(padding);
        }
        self.cursor.end()?;
        self.builder.script_rv(start);
        self.builder.after_script_rv = !skips;
        Ok(Branch::ScriptRv { start })
    }

    /// `>=` or `> =` behind a word in angle brackets.
    fn angle_equals(&mut self) -> Result<(), Slip> {
        if self.cursor.takes_sign(">=") {
            return Ok(());
        }
        self.cursor.sign(">")?;
        self.cursor.sign("=")
    }

    fn skipped(&mut self) -> Result<[u8; 3], Slip> {
        let what = "the six hexadecimal digits of the skipped bytes";
        let Some(Kind::Word(digits) | Kind::Number(digits)) = self.cursor.peek() else {
            return Err(self.cursor.expected(what));
        };
        let value = hexadecimal(digits, 24).filter(|_| digits.len() == 6);
        let [_, a, b, c] = value.ok_or_else(|| self.cursor.expected(what))?.to_be_bytes();
        self.cursor.at += 1;
        Ok([a, b, c])
    }

    /// Any statement but a branch.
    pub(super) fn statement(&mut self) -> Result<(), Slip> {
        let after_script_rv = std::mem::take(&mut self.builder.after_script_rv);
        let Some(Kind::Word(word)) = self.cursor.peek() else { return self.other() };
        let opcode = match word.to_ascii_lowercase().as_str() {
            "return" if after_script_rv => {
                let what = "a Return behind a ScriptRv would be taken for a part of it: write skip and the six \
                            hexadecimal digits of the bytes that follow, or put another statement between";
                return Err(Slip::new(self.cursor.span(), what));
            }
            "return" => op::RETURN,
            "endint" => op::ENDINT,
            "yield" => op::YIELD,
            "goto" => return self.jump(op::GOTO),
            "gosub" => return self.jump(op::GOSUB),
            "end" => return self.jump(op::END),
            _ => return self.other(),
        };
        self.cursor.at += 1;
        self.builder.bytes.push(opcode);
        Ok(())
    }

    fn jump(&mut self, opcode: u8) -> Result<(), Slip> {
        self.cursor.at += 1;
        self.builder.bytes.push(opcode);
        if self.dialect.is_foreign() && self.cursor.peek().is_none() {
            self.builder.u32(0);
            return Ok(());
        }
        self.label_operand()
    }

    fn label_operand(&mut self) -> Result<(), Slip> {
        let label = self.cursor.label()?;
        let reference = self.reference(label, 0);
        self.builder.label_operand(reference);
        Ok(())
    }

    /// A reference to the label passed last.
    pub(super) fn reference(&self, label: &str, further: u32) -> LabelRef {
        LabelRef { label: label.to_owned(), further, line: self.line, span: self.cursor.last_span() }
    }

    /// Calls, assignments and statements in angle brackets.
    fn other(&mut self) -> Result<(), Slip> {
        if self.cursor.is_sign("<") {
            return self.angle();
        }
        let mut prefix = Prefix { is_alt: self.cursor.takes_word("alt"), forced: None };
        if self.cursor.takes_word("task") {
            prefix.forced = Some(FunctionKind::Task);
        } else if self.cursor.takes_word("function") {
            prefix.forced = Some(FunctionKind::Function);
        }
        let has_prefix = prefix.is_alt || prefix.forced.is_some();
        if self.cursor.is_sign("@") || self.cursor.is_sign_after(1, "(") {
            return self.self_call(prefix);
        }
        match self.head(Mode::Formula)? {
            Head::Object(object) => self.member_statement(object, prefix),
            _ if has_prefix => Err(self.cursor.expected("a call behind alt, task or function")),
            Head::Flag(flag) => {
                self.no_lone_step()?;
                self.builder.bytes.push(op::FLAG);
                self.builder.u16(flag);
                self.assignment()
            }
            Head::Local(local) => {
                self.no_lone_step()?;
                self.builder.bytes.extend([op::LOCAL, local]);
                self.assignment()
            }
        }
    }

    fn self_call(&mut self, prefix: Prefix) -> Result<(), Slip> {
        if prefix.is_alt {
            return Err(self.cursor.expected("an object: alt is for calls on one"));
        }
        let (dispatch, function) = self.dispatch(prefix)?;
        self.builder.bytes.push(dispatch_byte(dispatch));
        self.call(function, Mode::Parameter)
    }

    /// `@` and a function: how it is called, and which it is.
    fn dispatch(&mut self, prefix: Prefix) -> Result<(FunctionKind, u16), Slip> {
        let is_multitask = self.cursor.takes_sign("@");
        if is_multitask && prefix.forced.is_some() {
            let what = "\"@\" makes the call a multitask: task and function do not go with it";
            return Err(Slip::new(self.cursor.last_span(), what));
        }
        let function = self.function()?;
        let usual = match self.tables.functions()[usize::from(function)].kind {
            FunctionKind::Task => FunctionKind::Task,
            FunctionKind::Multitask | FunctionKind::Function => FunctionKind::Function,
        };
        let dispatch = if is_multitask { FunctionKind::Multitask } else { prefix.forced.unwrap_or(usual) };
        Ok((dispatch, function))
    }

    /// A call on an object, or a change of its property.
    fn member_statement(&mut self, object: [u8; 2], prefix: Prefix) -> Result<(), Slip> {
        self.cursor.sign(".")?;
        if self.cursor.is_sign("@") || self.cursor.is_sign_after(1, "(") {
            let (dispatch, function) = self.dispatch(prefix)?;
            self.builder.bytes.push(self.routed_opcode(function, prefix.is_alt));
            self.builder.bytes.extend(object);
            self.builder.bytes.push(dispatch_byte(dispatch));
            return self.call(function, Mode::RoutedParameter);
        }
        if prefix.is_alt || prefix.forced.is_some() {
            return Err(self.cursor.expected("a call behind alt, task or function"));
        }
        let property = self.property()?;
        let opcode = match self.cursor.peek() {
            Some(Kind::Sign("++")) => op::INCREMENT,
            Some(Kind::Sign("--")) => op::DECREMENT,
            _ => op::PROPERTY,
        };
        self.builder.bytes.push(opcode);
        self.builder.bytes.extend(object);
        self.builder.u16(property);
        if opcode == op::PROPERTY {
            return self.assignment();
        }
        self.cursor.at += 1;
        Ok(())
    }

    /// Only properties have a statement that counts (rule Y97).
    fn no_lone_step(&self) -> Result<(), Slip> {
        let sign = match self.cursor.peek() {
            Some(Kind::Sign("++")) => "+",
            Some(Kind::Sign("--")) => "-",
            _ => return Ok(()),
        };
        let place = &self.cursor.line[self.cursor.last_span()];
        let what = format!("only properties can be counted so: write {place} = {place} {sign} 1");
        Err(Slip::new(self.cursor.span(), what))
    }

    /// `=` and a formula.
    fn assignment(&mut self) -> Result<(), Slip> {
        self.cursor.sign("=")?;
        loop {
            self.value(Mode::Formula)?;
            let operator = self.operator();
            self.builder.bytes.push(operator);
            if operator == 0 {
                return Ok(());
            }
        }
    }

    fn operator(&mut self) -> u8 {
        let signs = ["+", "-", "*", "/", "<<", ">>", "&", "|", "^"];
        let found = signs.iter().position(|sign| self.cursor.is_sign(sign));
        self.cursor.at += usize::from(found.is_some());
        match found.map_or(0, |byte| byte as u8 + 1) {
            // The mod manager takes the one for the other.
            byte @ 3..=4 if self.dialect.is_foreign() => 7 - byte,
            byte => byte,
        }
    }

    /// `<Anchor>=N` and the statements about tasks.
    fn angle(&mut self) -> Result<(), Slip> {
        self.cursor.sign("<")?;
        let words = "Anchor, TaskStop, TaskPause or TaskResume";
        let word = self.cursor.word(words)?;
        let opcode = match word.to_ascii_lowercase().as_str() {
            "anchor" => {
                self.angle_equals()?;
                let value = self.cursor.at_most(255, "a byte")?;
                self.builder.bytes.extend([op::ANCHOR, value as u8]);
                return Ok(());
            }
            "taskpause" if self.dialect.is_foreign() => op::TASK_STOP,
            "taskstop" => op::TASK_STOP,
            "taskpause" => op::TASK_PAUSE,
            "taskresume" => op::TASK_RESUME,
            _ => {
                let mean = self.suggest.of(word, ["Anchor", "TaskStop", "TaskPause", "TaskResume"]);
                return Err(Slip::new(self.cursor.last_span(), format!("expected {words}{mean}")));
            }
        };
        self.builder.bytes.push(opcode);
        self.cursor.sign("(")?;
        self.task_label()?;
        self.cursor.sign(")")?;
        self.cursor.sign(">")
    }

    /// `#X`, `#X+N` or `#=N` (rule Y91).
    fn task_label(&mut self) -> Result<(), Slip> {
        if matches!(self.cursor.peek(), Some(Kind::Label(""))) {
            self.cursor.at += 1;
            let label = self.cursor.at_most(u32::MAX, "a label's number")?;
            self.builder.u32(label);
            return Ok(());
        }
        let label = self.cursor.label()?;
        let mut reference = self.reference(label, 0);
        if self.cursor.takes_sign("+") {
            reference.further = self.cursor.at_most(u32::MAX, "what is added to a label")?;
        }
        self.builder.label_operand(reference);
        Ok(())
    }
}

fn dispatch_byte(dispatch: FunctionKind) -> u8 {
    match dispatch {
        FunctionKind::Task => op::TASK,
        FunctionKind::Multitask => op::MULTITASK,
        FunctionKind::Function => op::FUNCTION,
    }
}
