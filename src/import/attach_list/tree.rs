//! What both text forms have in common: objects of named values, each with its place in the text.

use std::ops::Range;

/// A place in the text, in bytes.
pub(super) type Span = Range<usize>;

/// A value with its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    /// `null`, `NULL`.
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    /// A bare word that stands for itself.
    Symbol,
    /// `&Name`.
    Pointer(String),
    /// `[ … ]`, and `( … )` in typed text.
    Array(Vec<Node>),
    Object(Object),
    /// `#[ … ]`; its bytes are nobody's concern here.
    Binary,
}

impl Node {
    /// What it is, for messages.
    pub(super) fn described(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Symbol => "a bare word",
            Value::Pointer(_) => "a pointer",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
            Value::Binary => "binary data",
        }
    }
}

/// `{ … }` with the type before it, if it has one.
#[derive(Debug)]
pub(super) struct Object {
    /// The type of a typed object; empty where none is written.
    pub(super) class: String,
    /// From `{` to `}`.
    pub(super) braces: Span,
    pub(super) pairs: Vec<Pair>,
}

/// `key = value`, with the type before it in typed text.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    /// From the type or key to the end of the value.
    pub(super) span: Span,
    pub(super) value: Node,
}

impl Object {
    /// The first pair of this key.
    pub(super) fn pair(&self, key: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.key == key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.pair(key).map(|pair| &pair.value)
    }

    /// The value of a key that holds a text, else an empty text.
    pub(super) fn text(&self, key: &str) -> &str {
        match self.get(key).map(|node| &node.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}

/// A top-level object, or the fields that stand at top level.
#[derive(Debug)]
pub(super) struct Top {
    /// The name that pointers use; empty for an object without one.
    pub(super) name: String,
    /// The name, or the beginning of an object without one.
    pub(super) name_span: Span,
    pub(super) object: Object,
}

/// A whole text.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) form: super::Form,
    /// One in KV3; one or more in typed text, the first of which is the root.
    pub(super) tops: Vec<Top>,
    /// The name of the format in the header.
    pub(super) format: String,
}
