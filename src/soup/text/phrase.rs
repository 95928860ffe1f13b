//! Statements and values as words (rules Y92, Y94 to Y96).

use std::collections::BTreeMap;

use super::{names, quoted};
use crate::{
    defs::FunctionKind,
    soup::{
        Code,
        code::{
            Call, CallIdx, Comparison, Condition, Conjunction, Follower, Object, Operator, Place, RoutedOpcode,
            Selector, Statement, StatementIdx, TaskAction, Update, Value,
        },
    },
};

/// What the words of one program need.
pub(super) struct Phrases<'a> {
    code: &'a Code,
    /// Each string with its index, or nothing when it stands there more than once.
    strings: BTreeMap<&'a [u8], Option<u32>>,
}

impl<'a> Phrases<'a> {
    pub(super) fn new(code: &'a Code) -> Self {
        let mut strings = BTreeMap::new();
        for (index, string) in code.program().strings.iter().enumerate() {
            strings.entry(string.as_slice()).and_modify(|seen| *seen = None).or_insert(Some(index as u32));
        }
        Self { code, strings }
    }

    /// The line of a statement; a branch that opens a block does not say where it goes.
    pub(super) fn statement(&self, text: &mut String, index: StatementIdx, opens: bool) {
        match self.code.statements()[index as usize] {
            Statement::Call { dispatch, call } => {
                text.push_str(self.dispatch_word(dispatch, call));
                self.call(text, call, dispatch == FunctionKind::Multitask);
            }
            Statement::Routed { dispatch, call } => self.routed_statement(text, dispatch, call),
            Statement::If { conditions, end } => {
                text.push_str("if ");
                self.conditions(text, conditions);
                if !opens {
                    *text += &format!(" else {}", self.label(end));
                }
            }
            Statement::Goto(target) => *text += &format!("Goto {}", self.label(target)),
            Statement::End(target) => *text += &format!("End {}", self.label(target)),
            Statement::Gosub(target) => *text += &format!("Gosub {}", self.label(target)),
            Statement::SetFlag { flag, formula } => {
                text.push_str(&names::flag(self.code.tables(), flag));
                self.formula(text, formula);
            }
            Statement::SetLocal { local, formula } => {
                *text += &format!("{}{local}", names::LOCAL);
                self.formula(text, formula);
            }
            Statement::SetProperty { place, formula } => {
                self.place(text, place);
                self.formula(text, formula);
            }
            Statement::StepProperty { place, update } => {
                self.place(text, place);
                text.push_str(update_sign(update));
            }
            Statement::Return => text.push_str("Return"),
            Statement::Endint => text.push_str("Endint"),
            Statement::Yield => text.push_str("Yield"),
            Statement::Anchor(value) => *text += &format!("<Anchor>={value}"),
            Statement::Task { action, label } => {
                *text += &format!("<{}({})>", action_name(action), self.task_label(label));
            }
            Statement::ScriptRv { expected, follower, .. } => {
                *text += &format!("if <ScriptRv> = {expected}");
                if let Follower::Skip([a, b, c]) = follower {
                    *text += &format!(" skip {a:02X}{b:02X}{c:02X}");
                }
            }
        }
    }

    fn routed_statement(&self, text: &mut String, dispatch: FunctionKind, call: CallIdx) {
        text.push_str(self.opcode_word(call));
        text.push_str(self.dispatch_word(dispatch, call));
        self.receiver(text, call);
        self.call(text, call, dispatch == FunctionKind::Multitask);
    }

    fn label(&self, index: StatementIdx) -> String {
        format!("#{:02X}", self.code.offset(index))
    }

    fn task_label(&self, label: u32) -> String {
        match self.code.statement_at_or_below(label) {
            Some(index) => match label - self.code.offset(index) {
                0 => self.label(index),
                further => format!("{}+{further}", self.label(index)),
            },
            None => format!("#={label}"),
        }
    }

    /// The word that makes a call another than its declaration says; multitasks have a sign of their own.
    fn dispatch_word(&self, dispatch: FunctionKind, call: CallIdx) -> &'static str {
        let is_task = self.declared(call) == FunctionKind::Task;
        match dispatch {
            FunctionKind::Task if !is_task => "task ",
            FunctionKind::Function if is_task => "function ",
            _ => "",
        }
    }

    fn opcode_word(&self, call: CallIdx) -> &'static str {
        let usual = usual_opcode(self.declared(call));
        if self.code.call(call).opcode == usual { "" } else { "alt " }
    }

    fn declared(&self, call: CallIdx) -> FunctionKind {
        self.code.function(self.code.call(call)).kind
    }

    fn receiver(&self, text: &mut String, call: CallIdx) {
        if let Some(receiver) = self.code.call(call).receiver {
            self.object(text, receiver);
            text.push('.');
        }
    }

    fn call(&self, text: &mut String, call: CallIdx, is_multitask: bool) {
        let call = self.code.call(call);
        if is_multitask {
            text.push('@');
        }
        text.push_str(&names::function(self.code.tables(), call.function));
        text.push('(');
        for (position, &parameter) in self.code.parameters(call).iter().enumerate() {
            if position > 0 {
                text.push_str(", ");
            }
            match key(self.code, call, position, parameter) {
                Some(key) => *text += &key,
                None => self.value(text, parameter),
            }
        }
        text.push(')');
    }

    fn conditions(&self, text: &mut String, first: u32) {
        for condition in self.code.conditions(first) {
            self.condition(text, condition);
            match condition.conjunction {
                Conjunction::End => break,
                Conjunction::And => text.push_str(" and "),
                Conjunction::Or => text.push_str(" or "),
            }
        }
    }

    fn condition(&self, text: &mut String, condition: &Condition) {
        self.value(text, condition.left);
        text.push_str(update_sign(condition.left_update));
        *text += &format!(" {} ", comparison_sign(condition.comparison));
        self.value(text, condition.right);
        text.push_str(update_sign(condition.right_update));
    }

    fn formula(&self, text: &mut String, first: u32) {
        text.push_str(" = ");
        for term in self.code.formula(first) {
            self.value(text, term.value);
            match operator_sign(term.operator) {
                Some(sign) => *text += &format!(" {sign} "),
                None => break,
            }
        }
    }

    fn value(&self, text: &mut String, value: Value) {
        match value {
            Value::Number(number) => *text += &number.to_string(),
            Value::NumberAlt(number) => match names::flag_name(self.code.tables(), number) {
                Some(name) => *text += &format!("&{name}"),
                None => *text += &format!("&{number}"),
            },
            Value::Text(index) => match self.string_text(index) {
                Some(string) => *text += &quoted(string),
                None => *text += &format!("${index}"),
            },
            Value::Flag { flag, padding } => {
                text.push_str(&names::flag(self.code.tables(), flag));
                pad(text, padding.into());
            }
            Value::Local { local, padding: [low, middle, high] } => {
                *text += &format!("{}{local}", names::LOCAL);
                pad(text, u32::from_le_bytes([low, middle, high, 0]));
            }
            Value::Property(place) => self.place(text, place),
            Value::Call(call) => self.call(text, call, false),
            Value::Routed(call) => {
                text.push_str(self.opcode_word(call));
                self.receiver(text, call);
                self.call(text, call, false);
            }
        }
    }

    /// The bytes of a string that no other has.
    fn string_text(&self, index: u32) -> Option<&'a [u8]> {
        let string = self.code.program().strings.get(index as usize)?.as_slice();
        let is_short = string.len() <= super::LONGEST_WORD;
        (is_short && self.strings.get(string) == Some(&Some(index))).then_some(string)
    }

    fn place(&self, text: &mut String, place: Place) {
        self.object(text, place.object);
        text.push('.');
        text.push_str(&names::property(self.code.tables(), place.property));
    }

    fn object(&self, text: &mut String, Object { selector, byte }: Object) {
        match selector {
            Selector::Me => padded(text, "Me", byte),
            Selector::Player => padded(text, "Player", byte),
            Selector::Camera => padded(text, "Camera", byte),
            Selector::Local => *text += &format!("{}{byte}", names::LOCAL),
            Selector::Text => match self.string_text(byte.into()).and_then(object_name) {
                Some(name) => text.push_str(name),
                None => *text += &format!("${byte}"),
            },
        }
    }
}

fn object_name(string: &[u8]) -> Option<&str> {
    std::str::from_utf8(string).ok().filter(|name| names::is_identifier(name) && !names::is_reserved(name))
}

fn padded(text: &mut String, word: &str, byte: u8) {
    text.push_str(word);
    pad(text, byte.into());
}

fn pad(text: &mut String, padding: u32) {
    if padding != 0 {
        *text += &format!("!{padding:02X}");
    }
}

/// A number that four letters stand for (rule Y96).
fn key(code: &Code, call: &Call, position: usize, value: Value) -> Option<String> {
    let Value::Number(number) = value else { return None };
    if position != 0 || !names::takes_key(&code.function(call).name) {
        return None;
    }
    let bytes = number.to_le_bytes();
    let is_key = bytes.iter().all(|&byte| super::is_key_byte(byte));
    is_key.then(|| format!("'{}'", bytes.map(char::from).iter().collect::<String>()))
}

fn update_sign(update: Update) -> &'static str {
    match update {
        Update::Read => "",
        Update::Increment => "++",
        Update::Decrement => "--",
    }
}

fn comparison_sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Differs => "!=",
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::AtMost => "<=",
        Comparison::AtLeast => ">=",
    }
}

fn operator_sign(operator: Operator) -> Option<&'static str> {
    Some(match operator {
        Operator::End => return None,
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
    })
}

fn action_name(action: TaskAction) -> &'static str {
    match action {
        TaskAction::Stop => "TaskStop",
        TaskAction::Pause => "TaskPause",
        TaskAction::Resume => "TaskResume",
    }
}

/// The opcode that a routed call has unless the text says otherwise (rule Y92).
pub(super) fn usual_opcode(declared: FunctionKind) -> RoutedOpcode {
    match declared {
        FunctionKind::Function => RoutedOpcode::Function,
        FunctionKind::Task | FunctionKind::Multitask => RoutedOpcode::Task,
    }
}
