//! The typed text form: objects whose fields have their types written before them.
//!
//! # Source
//! Rule L1.

use super::{
    Form,
    faults::Faults,
    lexer::{Broken, Token, Tokens},
    tree::{Node, Object, Pair, Span, Top, Tree, Value},
};

/// Parses what follows the header.
pub(super) fn parse(text: &str, at: usize, faults: &mut Faults<'_>) -> Result<Tree, Broken> {
    let mut parser = Parser { tokens: Tokens::typed(text, at)?, trailing_commas: Vec::new() };
    let tops = parser.tops()?;
    parser.tokens.warn(faults);
    for span in parser.trailing_commas {
        faults.warning(span, "", "nothing follows this comma");
    }
    Ok(Tree { form: Form::Typed, tops, format: "generic".to_owned() })
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    trailing_commas: Vec<Span>,
}

/// The type that stands before a field.
struct TypeSpec<'t> {
    base: &'t str,
    count: Option<f64>,
    is_pointer: bool,
    is_array: bool,
}

impl<'t> Parser<'t> {
    fn tops(&mut self) -> Result<Vec<Top>, Broken> {
        let mut tops = Vec::new();
        let mut loose = Vec::new();
        while self.tokens.token != Token::End {
            let start = self.tokens.span.start;
            let spec = self.type_spec()?;
            if self.tokens.is('{') {
                let object = self.object(spec.base)?;
                tops.push(Top { name: String::new(), name_span: start..start + spec.base.len(), object });
                continue;
            }
            let name_span = self.tokens.span.clone();
            let name = self.name("a name or \"{\"")?;
            if self.tokens.is('=') {
                loose.push(self.value_of(spec, name, start)?);
            } else if self.tokens.is('{') {
                let object = self.object(spec.base)?;
                tops.push(Top { name: name.to_owned(), name_span, object });
            } else {
                return self.tokens.unexpected("\"{\"");
            }
        }
        if !loose.is_empty() {
            let braces = loose[0].span.start..self.tokens.last_end;
            let object = Object { class: String::new(), braces: braces.clone(), pairs: loose };
            tops.insert(0, Top { name: String::new(), name_span: braces.start..braces.start, object });
        }
        if tops.is_empty() { self.tokens.unexpected("an object") } else { Ok(tops) }
    }

    fn name(&mut self, expected: &str) -> Result<&'t str, Broken> {
        if self.tokens.token != Token::Word {
            return self.tokens.unexpected(expected);
        }
        let word = self.tokens.word();
        self.tokens.advance()?;
        Ok(word)
    }

    fn type_spec(&mut self) -> Result<TypeSpec<'t>, Broken> {
        let base = self.name("a type")?;
        let mut spec = TypeSpec { base, count: None, is_pointer: false, is_array: false };
        if self.tokens.accept('(')? {
            let Token::Number(count) = self.tokens.token else {
                return self.tokens.unexpected("a number of components");
            };
            spec.count = Some(count);
            self.tokens.advance()?;
            self.tokens.expect(')', "after the number of components")?;
        }
        spec.is_pointer = self.tokens.accept('*')?;
        if self.tokens.accept('[')? {
            self.tokens.expect(']', "to end the type")?;
            spec.is_array = true;
        }
        Ok(spec)
    }

    /// From `{` to `}`.
    fn object(&mut self, class: &str) -> Result<Object, Broken> {
        let start = self.tokens.span.start;
        let pairs = self.nested(|parser| {
            parser.tokens.expect('{', "to begin the object")?;
            let mut pairs = Vec::new();
            while !parser.tokens.is('}') {
                let start = parser.tokens.span.start;
                if parser.tokens.token != Token::Word {
                    return parser.tokens.unexpected("a field or \"}\"");
                }
                let spec = parser.type_spec()?;
                let name = parser.name("the name of the field")?;
                pairs.push(parser.value_of(spec, name, start)?);
            }
            parser.tokens.advance()?;
            Ok(pairs)
        })?;
        Ok(Object { class: class.to_owned(), braces: start..self.tokens.last_end, pairs })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Broken>) -> Result<T, Broken> {
        self.tokens.enter()?;
        let outcome = read(self);
        self.tokens.leave();
        outcome
    }

    /// `= value` after a field's type and name.
    fn value_of(&mut self, spec: TypeSpec<'t>, name: &str, start: usize) -> Result<Pair, Broken> {
        self.tokens.expect('=', "after the name of the field")?;
        let value = self.value()?;
        check(&spec, &value)?;
        Ok(Pair { key: name.to_owned(), span: start..value.span.end, value })
    }

    fn value(&mut self) -> Result<Node, Broken> {
        let start = self.tokens.span.start;
        let value = match &self.tokens.token {
            Token::Number(number) => {
                let value = Value::Number(*number);
                self.tokens.advance()?;
                value
            }
            Token::Text(_) => match self.tokens.take()? {
                (Token::Text(text), _) => Value::Text(text),
                _ => Value::Null,
            },
            Token::Word => {
                let word = self.tokens.word();
                self.tokens.advance()?;
                match word {
                    _ if self.tokens.is('{') => Value::Object(self.object(word)?),
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    "NULL" => Value::Null,
                    _ => Value::Symbol,
                }
            }
            Token::Mark('&') => {
                self.tokens.advance()?;
                Value::Pointer(self.name("the name of an object after \"&\"")?.to_owned())
            }
            Token::Mark('(') => self.list(')')?,
            Token::Mark('[') => self.list(']')?,
            _ => return self.tokens.unexpected("a value"),
        };
        Ok(Node { span: start..self.tokens.last_end, value })
    }

    fn list(&mut self, close: char) -> Result<Value, Broken> {
        self.nested(|parser| {
            parser.tokens.advance()?;
            let mut values = Vec::new();
            while !parser.tokens.is(close) {
                values.push(parser.value()?);
                let comma = parser.tokens.span.clone();
                if !parser.tokens.accept(',')? {
                    break;
                }
                if parser.tokens.is(close) {
                    parser.trailing_commas.push(comma);
                }
            }
            parser.tokens.expect(close, "or a comma after the value")?;
            Ok(Value::Array(values))
        })
    }
}

/// Whether a value is what its field's type says.
fn check(spec: &TypeSpec<'_>, node: &Node) -> Result<(), Broken> {
    let broken = |expected: String| {
        let reason = format!("expected {expected}, found {}", node.described());
        Err(Broken { span: node.span.clone(), reason })
    };
    match (&node.value, spec) {
        (Value::Array(_), TypeSpec { is_array: true, .. }) => Ok(()),
        (_, TypeSpec { is_array: true, .. }) => broken(format!("a list of {}", spec.base)),
        (Value::Null | Value::Pointer(_), TypeSpec { is_pointer: true, .. }) => Ok(()),
        (_, TypeSpec { is_pointer: true, .. }) => broken("NULL or &name".to_owned()),
        (Value::Array(values), TypeSpec { count: Some(count), .. }) => {
            if values.len() as f64 != *count {
                let reason = format!("expected {count} components, found {}", values.len());
                return Err(Broken { span: node.span.clone(), reason });
            }
            match values.iter().find(|value| !matches!(value.value, Value::Number(_))) {
                Some(other) => {
                    let reason = format!("expected a number, found {}", other.described());
                    Err(Broken { span: other.span.clone(), reason })
                }
                None => Ok(()),
            }
        }
        (_, TypeSpec { count: Some(count), .. }) => broken(format!("{count} numbers in parentheses")),
        (Value::Text(_), TypeSpec { base: "string", .. })
        | (Value::Bool(_), TypeSpec { base: "bool", .. })
        | (Value::Number(_), TypeSpec { base: "int" | "uint" | "float", .. }) => Ok(()),
        (_, TypeSpec { base: "string", .. }) => broken("a text".to_owned()),
        (_, TypeSpec { base: "bool", .. }) => broken("true or false".to_owned()),
        (_, TypeSpec { base: "int" | "uint" | "float", .. }) => broken("a number".to_owned()),
        _ => Ok(()),
    }
}
