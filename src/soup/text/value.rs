//! Reading values, places and calls, and writing their bytes (rules Y5, Y7, Y11).

use std::ops::Range;

use super::{
    builder::Builder,
    cursor::{Cursor, hexadecimal},
    error::Slip,
    foreign::{Dialect, numbered_object, takes_flag_number},
    lex::Kind,
    names,
    suggest::Suggest,
};
use crate::soup::{Tables, code::Selector, op};

/// Where a function may be that is like no other.
const ELSEWHERE: &str = "; a SOUP386.DEF may have it: --def FILE, or the key def of a scene";

/// Which locals there are.
fn declared(count: usize) -> String {
    match count.checked_sub(1) {
        None => "write var0 = 0".to_owned(),
        Some(0) => "only var0 stands".to_owned(),
        Some(last) => format!("only var0 to var{last} stand"),
    }
}

/// Reads one line into the program.
pub(super) struct Sentence<'a, 'l> {
    pub(super) cursor: Cursor<'l>,
    pub(super) tables: &'a Tables,
    pub(super) builder: &'a mut Builder,
    pub(super) suggest: &'a mut Suggest,
    pub(super) dialect: Dialect<'a>,
    /// The line's number, from 1.
    pub(super) line: u32,
}

/// Where a value stands (rule Y7).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Comparison,
    Formula,
    Parameter,
    /// A parameter whose locals are the receiver's.
    RoutedParameter,
}

impl Mode {
    fn is_parameter(self) -> bool {
        matches!(self, Self::Parameter | Self::RoutedParameter)
    }
}

/// The beginning of something that can be assigned to, read or called on.
pub(super) enum Head {
    Flag(u16),
    Local(u8),
    /// Selector and its byte; a dot follows.
    Object([u8; 2]),
}

impl Sentence<'_, '_> {
    /// A value and what belongs to it in this place.
    pub(super) fn value(&mut self, mode: Mode) -> Result<(), Slip> {
        match self.cursor.peek() {
            Some(Kind::Number(_)) if self.cursor.is_sign_after(1, ".") => {
                let object = self.object(mode)?;
                self.member(object, mode)?;
            }
            Some(Kind::Number(_) | Kind::Sign("-")) => {
                let number = self.cursor.int("a number")?;
                self.number(op::NUMBER, number);
            }
            Some(Kind::Key(key)) => {
                self.cursor.at += 1;
                self.number(op::NUMBER, u32::from_le_bytes(*key));
            }
            Some(Kind::Sign("&")) => self.number_alt()?,
            Some(Kind::Text(bytes)) => self.text(bytes)?,
            Some(Kind::Dollar(digits)) if !self.cursor.is_sign_after(1, ".") => {
                let index = self.dollar(digits, u32::MAX)?;
                self.number(op::STRING, index);
            }
            Some(Kind::Word(word)) if word.eq_ignore_ascii_case("alt") => {
                self.cursor.at += 1;
                self.routed_value(mode, true)?;
            }
            Some(Kind::Word(_)) if self.cursor.is_sign_after(1, "(") => {
                self.no_call(mode)?;
                let function = self.function()?;
                self.builder.bytes.push(op::FUNCTION);
                self.call(function, Mode::Parameter)?;
            }
            Some(Kind::Word(_) | Kind::Dollar(_)) => match self.head(mode)? {
                Head::Flag(flag) => self.flag(flag, mode)?,
                Head::Local(local) => self.local(local, mode)?,
                Head::Object(object) => self.member(object, mode)?,
            },
            _ => return Err(self.cursor.expected("a value")),
        }
        self.no_step(mode)
    }

    fn number(&mut self, opcode: u8, number: u32) {
        self.builder.bytes.push(opcode);
        self.builder.u32(number);
    }

    /// `&` and the name of a flag or a number.
    fn number_alt(&mut self) -> Result<(), Slip> {
        self.cursor.at += 1;
        let number = match self.cursor.peek() {
            Some(Kind::Word(word)) => {
                self.cursor.at += 1;
                self.flag_number(word)?.into()
            }
            _ => self.cursor.int("the name of a flag or a number")?,
        };
        self.number(op::NUMBER_ALT, number);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Slip> {
        self.cursor.at += 1;
        let span = self.cursor.last_span();
        match self.builder.strings.find(bytes) {
            Some(Some(index)) => self.number(op::STRING, index),
            Some(None) => return Err(Slip::new(span, "more than one string has this text: write $ and its number")),
            None if self.dialect.is_foreign() => {
                let index = self.builder.strings.push(bytes.to_vec());
                self.number(op::STRING, index);
            }
            None => {
                let next = self.builder.strings.list.len();
                let what = format!("no string of this program has this text: add it above the name as ${next}");
                return Err(Slip::new(span, what));
            }
        }
        Ok(())
    }

    fn dollar(&mut self, digits: &str, limit: u32) -> Result<u32, Slip> {
        self.cursor.at += 1;
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>().ok()).flatten();
        number.filter(|&number| number <= limit).ok_or_else(|| {
            Slip::new(self.cursor.last_span(), format!("the number of a string goes from 0 to {limit} here"))
        })
    }

    fn flag(&mut self, flag: u16, mode: Mode) -> Result<(), Slip> {
        self.builder.bytes.push(op::FLAG);
        self.builder.u16(flag);
        if mode.is_parameter() {
            let padding = self.pad(16)?;
            self.builder.u16(padding as u16);
        }
        self.update(mode);
        Ok(())
    }

    fn local(&mut self, local: u8, mode: Mode) -> Result<(), Slip> {
        self.builder.bytes.extend([op::LOCAL, local]);
        if mode.is_parameter() {
            let [low, middle, high, _] = self.pad(24)?.to_le_bytes();
            self.builder.bytes.extend([low, middle, high]);
        }
        self.update(mode);
        Ok(())
    }

    /// A property, or a call on the object.
    fn member(&mut self, object: [u8; 2], mode: Mode) -> Result<(), Slip> {
        self.cursor.sign(".")?;
        if self.cursor.is_sign("@") || self.cursor.is_sign_after(1, "(") {
            return self.routed_call_value(object, mode, false);
        }
        let property = self.property()?;
        self.builder.bytes.push(op::PROPERTY);
        self.builder.bytes.extend(object);
        self.builder.u16(property);
        self.update(mode);
        Ok(())
    }

    fn routed_value(&mut self, mode: Mode, is_alt: bool) -> Result<(), Slip> {
        let object = self.object(mode)?;
        self.cursor.sign(".")?;
        self.routed_call_value(object, mode, is_alt)
    }

    fn routed_call_value(&mut self, object: [u8; 2], mode: Mode, is_alt: bool) -> Result<(), Slip> {
        if self.cursor.is_sign("@") {
            return Err(self.cursor.expected("a function: a value is always a function call"));
        }
        self.no_call(mode)?;
        let function = self.function()?;
        self.builder.bytes.push(self.routed_opcode(function, is_alt));
        self.builder.bytes.extend(object);
        self.call(function, Mode::RoutedParameter)
    }

    fn no_call(&self, mode: Mode) -> Result<(), Slip> {
        let what = "a call is not a parameter: assign its result to a local first";
        if mode.is_parameter() { Err(Slip::new(self.cursor.span(), what)) } else { Ok(()) }
    }

    pub(super) fn routed_opcode(&self, function: u16, is_alt: bool) -> u8 {
        let declared = self.tables.functions()[usize::from(function)].kind;
        let is_function = super::usual_opcode(declared) == crate::soup::code::RoutedOpcode::Function;
        if is_function != is_alt { op::OBJECT_FUNCTION } else { op::OBJECT_TASK }
    }

    /// The update byte of a place in a comparison.
    fn update(&mut self, mode: Mode) {
        if mode == Mode::Comparison {
            let update = match self.cursor.peek() {
                Some(Kind::Sign("++")) => op::UPDATE_UP,
                Some(Kind::Sign("--")) => op::UPDATE_DOWN,
                _ => 0,
            };
            self.cursor.at += usize::from(update != 0);
            self.builder.bytes.push(update);
        }
    }

    fn no_step(&self, mode: Mode) -> Result<(), Slip> {
        let steps = self.cursor.is_sign("++") || self.cursor.is_sign("--");
        let what = match mode {
            Mode::Comparison => "only a flag, a local or a property can be changed in a comparison, and once",
            _ => "a value can be changed in the comparisons of an if only",
        };
        if steps { Err(Slip::new(self.cursor.span(), what)) } else { Ok(()) }
    }

    /// Padding of this many bits, 0 when none is written.
    fn pad(&mut self, bits: u32) -> Result<u32, Slip> {
        let Some(Kind::Pad(digits)) = self.cursor.peek() else { return Ok(0) };
        self.cursor.at += 1;
        hexadecimal(digits, bits).ok_or_else(|| {
            Slip::new(self.cursor.last_span(), format!("padding is at most {} hexadecimal digits", bits / 4))
        })
    }

    /// A flag, a local, or an object with a dot behind it.
    pub(super) fn head(&mut self, mode: Mode) -> Result<Head, Slip> {
        match self.cursor.peek() {
            Some(Kind::Dollar(_)) => self.object(mode).map(Head::Object),
            Some(Kind::Number(_)) if self.dialect.is_foreign() => self.object(mode).map(Head::Object),
            Some(Kind::Word(word)) if role(word).is_some() => self.object(mode).map(Head::Object),
            Some(Kind::Word(_)) if self.cursor.is_sign_after(1, ".") => self.object(mode).map(Head::Object),
            Some(Kind::Word(word)) => {
                self.cursor.at += 1;
                if let Some(local) = names::number_of(word, names::LOCAL) {
                    return self.own_local(local, mode).map(Head::Local);
                }
                self.flag_number(word).map(Head::Flag)
            }
            _ => Err(self.cursor.expected("a flag, a local or an object")),
        }
    }

    /// The two bytes of an object, which stays before its dot.
    pub(super) fn object(&mut self, mode: Mode) -> Result<[u8; 2], Slip> {
        let object = match self.cursor.peek() {
            Some(Kind::Dollar(digits)) => [Selector::Text as u8, self.dollar(digits, 255)? as u8],
            Some(Kind::Word(word)) => {
                self.cursor.at += 1;
                match (role(word), names::number_of(word, names::LOCAL)) {
                    (Some(selector), _) => [selector as u8, self.pad(8)? as u8],
                    (None, Some(local)) => [Selector::Local as u8, self.own_local(local, mode)?],
                    (None, None) => [Selector::Text as u8, self.named_object(word)?],
                }
            }
            Some(Kind::Number(word)) if self.dialect.is_foreign() => {
                if let Some(slip) = numbered_object(&self.cursor.tokens[self.cursor.at]) {
                    return Err(slip);
                }
                self.cursor.at += 1;
                [Selector::Text as u8, self.named_object(word)?]
            }
            _ => return Err(self.cursor.expected("an object")),
        };
        if self.cursor.is_sign(".") { Ok(object) } else { Err(self.cursor.expected("\".\" behind an object")) }
    }

    fn named_object(&mut self, word: &str) -> Result<u8, Slip> {
        let span = self.cursor.last_span();
        let found = if self.dialect.is_foreign() {
            let strings = &mut self.builder.strings;
            let found = strings.find(word.as_bytes()).flatten();
            Some(Some(found.unwrap_or_else(|| strings.push(word.as_bytes().to_vec()))))
        } else {
            self.builder.strings.find_name(word)
        };
        match found {
            Some(Some(index)) => u8::try_from(index)
                .map_err(|_| Slip::new(span, format!("\"{word}\" is string {index}; only the first 256 name objects"))),
            Some(None) => {
                let what = format!("more than one string is \"{word}\": write $ and its number");
                Err(Slip::new(span, what))
            }
            None if names::is_reserved(word) => Err(Slip::new(span, format!("\"{word}\" is a word of the language"))),
            None => {
                let strings = self.builder.strings.list.iter().take(256);
                let mean = self.suggest.of(word, strings.filter_map(|string| std::str::from_utf8(string).ok()));
                let next = self.builder.strings.list.len();
                let what =
                    format!("no string is \"{word}\": an object's name stands above the program as ${next}{mean}");
                Err(Slip::new(span, what))
            }
        }
    }

    /// A local of the program; parameters of routed calls mean the receiver's (rule Y23).
    fn own_local(&mut self, local: u32, mode: Mode) -> Result<u8, Slip> {
        if self.dialect.is_foreign() && mode != Mode::RoutedParameter && local < 256 {
            // These texts do not show all locals.
            let count = self.builder.locals.len().max(local as usize + 1);
            self.builder.locals.resize(count, 0);
        }
        let count = self.builder.locals.len();
        let span = self.cursor.last_span();
        let is_known = mode == Mode::RoutedParameter || (local as usize) < count;
        match u8::try_from(local) {
            Ok(local) if is_known => Ok(local),
            _ => Err(Slip::new(
                span,
                format!("var{local} is not declared: {} above the program's name", declared(count)),
            )),
        }
    }

    fn flag_number(&mut self, word: &str) -> Result<u16, Slip> {
        let count = self.tables.flags().len();
        let span = self.cursor.last_span();
        if let Some(index) = names::number_of(word, names::FLAG) {
            let known = u16::try_from(index).ok().filter(|&index| usize::from(index) < count);
            return known.ok_or_else(|| Slip::new(span, format!("flag {index} of {count}")));
        }
        self.tables.flag_named(word).ok_or_else(|| {
            let what = if self.tables.function_named(word).is_some() {
                format!("\"{word}\" is a function: its parameters stand in parentheses, also when there are none")
            } else if names::is_reserved(word) {
                format!("\"{word}\" is a word of the language and no value")
            } else {
                let flags = self.tables.flags().iter().map(|flag| flag.name.as_str());
                format!("no flag, local or object is \"{word}\"{}", self.suggest.of(word, flags))
            };
            Slip::new(span, what)
        })
    }

    /// The number of the function whose name is next.
    pub(super) fn function(&mut self) -> Result<u16, Slip> {
        let word = self.cursor.word("the name of a function")?;
        let span = self.cursor.last_span();
        let count = self.tables.functions().len();
        if let Some(index) = names::number_of(word, names::FUNCTION) {
            let known = u16::try_from(index).ok().filter(|&index| usize::from(index) < count);
            return known.ok_or_else(|| Slip::new(span, format!("function {index} is not in the table")));
        }
        self.tables.function_named(word).ok_or_else(|| {
            let functions = self.tables.functions().iter().map(|row| row.name.as_str());
            let hint = match self.suggest.of(word, functions) {
                nothing if nothing.is_empty() => ELSEWHERE.to_owned(),
                near => near,
            };
            Slip::new(span, format!("no function is \"{word}\"{hint}"))
        })
    }

    /// The parameters of a call, behind the function's number and their count.
    pub(super) fn call(&mut self, function: u16, mode: Mode) -> Result<(), Slip> {
        let name_at = self.cursor.at - 1;
        self.builder.u16(function);
        let count_at = self.builder.bytes.len();
        if function != 0 {
            self.builder.bytes.push(0);
        }
        self.cursor.sign("(")?;
        let mut given = 0_usize;
        while !self.cursor.is_sign(")") {
            if given > 0 {
                self.cursor.sign(",")?;
            }
            self.parameter(function, given, mode)?;
            given += 1;
        }
        self.cursor.sign(")")?;
        self.declared_count(function, given, self.cursor.span_from(name_at))?;
        if function != 0 {
            self.builder.bytes[count_at] = given as u8;
        }
        Ok(())
    }

    fn parameter(&mut self, function: u16, position: usize, mode: Mode) -> Result<(), Slip> {
        let name = &self.tables.functions()[usize::from(function)].name;
        match self.cursor.peek() {
            Some(Kind::Text(bytes)) if self.dialect.is_foreign() && position == 0 && names::takes_key(name) => {
                self.cursor.at += 1;
                let Ok(key) = <[u8; 4]>::try_from(bytes.as_slice()) else {
                    return Err(Slip::new(self.cursor.last_span(), format!("{name} takes a key of four characters")));
                };
                self.number(op::NUMBER, u32::from_le_bytes(key));
                Ok(())
            }
            Some(Kind::Number(_)) if self.dialect.is_foreign() && takes_flag_number(name) => {
                let number = self.cursor.int("a number")?;
                self.number(op::NUMBER_ALT, number);
                Ok(())
            }
            _ => self.value(mode),
        }
    }

    fn declared_count(&self, function: u16, given: usize, span: Range<usize>) -> Result<(), Slip> {
        let row = &self.tables.functions()[usize::from(function)];
        if given == usize::from(row.parameters) {
            return Ok(());
        }
        Err(Slip::new(span, format!("{} takes {} parameters, not {given}", row.name, row.parameters)))
    }

    /// The number of the property whose name is next.
    pub(super) fn property(&mut self) -> Result<u16, Slip> {
        let first = self.cursor.at;
        let name = self.property_name()?;
        let span = self.cursor.span_from(first);
        let count = self.tables.properties().len();
        if let Some(index) = names::number_of(&name, names::PROPERTY) {
            let known = u16::try_from(index).ok().filter(|&index| usize::from(index) < count);
            return known.ok_or_else(|| Slip::new(span, format!("property {index} is not in the table")));
        }
        self.tables.property_named(&name).ok_or_else(|| {
            let properties = self.tables.properties().iter().map(|row| row.name.as_str());
            Slip::new(span, format!("no property is \"{name}\"{}", self.suggest.of(&name, properties)))
        })
    }

    fn property_name(&mut self) -> Result<String, Slip> {
        let mut name = self.cursor.word("the name of a property or of a function")?.to_owned();
        loop {
            if self.cursor.takes_sign(".") {
                name.push('.');
                name.push_str(self.cursor.word("the rest of a property's name")?);
            } else if self.cursor.takes_sign("[") {
                name += &format!("[{}]", self.cursor.at_most(u32::from(u16::MAX), "an index")?);
                self.cursor.sign("]")?;
            } else {
                return Ok(name);
            }
        }
    }
}

/// The object that a word always names.
fn role(word: &str) -> Option<Selector> {
    let roles = [("me", Selector::Me), ("player", Selector::Player), ("camera", Selector::Camera)];
    roles.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, selector)| selector)
}
