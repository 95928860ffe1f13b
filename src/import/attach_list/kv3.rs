//! KV3 text: objects of `key = value`.
//!
//! # Source
//! Rule L2.

use super::{
    Form,
    faults::Faults,
    lexer::{Broken, Token, Tokens},
    tree::{Node, Object, Pair, Top, Tree, Value},
};

/// Parses what follows the header, which names the format.
pub(super) fn parse(text: &str, at: usize, format: &str, faults: &mut Faults<'_>) -> Result<Tree, Broken> {
    let mut parser = Parser { tokens: Tokens::kv3(text, at)? };
    let start = parser.tokens.span.clone();
    let root = parser.value()?;
    if parser.tokens.token != Token::End {
        // Files that were edited by hand have it, and the vendor's reader stops at the root.
        faults.warning(parser.tokens.span.clone(), "", "what follows the root is passed over");
    }
    parser.tokens.warn(faults);
    let Value::Object(object) = root.value else {
        return Err(Broken {
            span: root.span.clone(),
            reason: format!("expected an object, found {}", root.described()),
        });
    };
    let form = if format.starts_with("modeldoc") { Form::ModelDoc } else { Form::Generic };
    let top = Top { name: String::new(), name_span: start, object };
    Ok(Tree { form, tops: vec![top], format: format.to_owned() })
}

struct Parser<'t> {
    tokens: Tokens<'t>,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Node, Broken> {
        let start = self.tokens.span.start;
        let value = match &self.tokens.token {
            Token::Number(number) => {
                let value = Value::Number(*number);
                self.tokens.advance()?;
                value
            }
            Token::Binary => {
                self.tokens.advance()?;
                Value::Binary
            }
            Token::Text(_) => match self.tokens.take()? {
                (Token::Text(text), _) => Value::Text(text),
                _ => Value::Null,
            },
            Token::Word => return self.word(start),
            Token::Mark('{') => self.nested(Self::object)?,
            Token::Mark('[') => self.nested(Self::list)?,
            _ => return self.tokens.unexpected("a value"),
        };
        Ok(Node { span: start..self.tokens.last_end, value })
    }

    /// A bare word, or flags before a value.
    fn word(&mut self, start: usize) -> Result<Node, Broken> {
        let word = self.tokens.word();
        let mut value = match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Symbol,
        };
        let span = self.tokens.span.clone();
        self.tokens.advance()?;
        let mut flagged = false;
        while self.tokens.accept('|')? {
            if self.tokens.token != Token::Word {
                return self.tokens.unexpected("a flag after \"|\"");
            }
            self.tokens.advance()?;
            flagged = true;
        }
        if self.tokens.is(':') {
            value = self.nested(|parser| {
                parser.tokens.advance()?;
                Ok(parser.value()?.value)
            })?;
        } else if flagged || matches!(value, Value::Symbol) {
            let shown = super::lexer::head(word);
            let reason = format!("expected null, true, false, a number, a text, a list or an object, found {shown}");
            return Err(Broken { span, reason });
        }
        Ok(Node { span: start..self.tokens.last_end, value })
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Value, Broken>) -> Result<Value, Broken> {
        self.tokens.enter()?;
        let outcome = read(self);
        self.tokens.leave();
        outcome
    }

    fn object(&mut self) -> Result<Value, Broken> {
        let start = self.tokens.span.start;
        self.tokens.advance()?;
        let mut pairs = Vec::new();
        while !self.tokens.is('}') {
            pairs.push(self.pair()?);
        }
        self.tokens.advance()?;
        Ok(Value::Object(Object { class: String::new(), braces: start..self.tokens.last_end, pairs }))
    }

    fn pair(&mut self) -> Result<Pair, Broken> {
        let start = self.tokens.span.start;
        let key = match &self.tokens.token {
            Token::Text(text) => text.clone(),
            // A bare key may begin with a digit, and then looks like a number.
            Token::Word | Token::Number(_) => self.tokens.word().to_owned(),
            _ => return self.tokens.unexpected("a key or \"}\""),
        };
        self.tokens.advance()?;
        self.tokens.expect('=', "after the key")?;
        let value = self.value()?;
        // Commas between pairs are not written by any tool, and harm nobody.
        self.tokens.accept(',')?;
        Ok(Pair { key, span: start..value.span.end, value })
    }

    fn list(&mut self) -> Result<Value, Broken> {
        self.tokens.advance()?;
        let mut values = Vec::new();
        while !self.tokens.is(']') {
            values.push(self.value()?);
            if !self.tokens.accept(',')? {
                break;
            }
        }
        self.tokens.expect(']', "or a comma after the value")?;
        Ok(Value::Array(values))
    }
}
