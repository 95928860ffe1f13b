//! A file of programs: heads, blocks and labels, line by line (rules Y90, Y91, Y93).

use std::{collections::BTreeMap, sync::Arc};

use super::{
    HEADER, MAX_BLOCKS,
    builder::{Builder, LabelRef, Listing},
    cursor::Cursor,
    error::{Slip, TextError},
    foreign::{Dialect, HEADER_LINES, Numbered, attribute, with_numbers},
    lex::{Kind, Token, tokens},
    names,
    statement::Branch,
    suggest::Suggest,
    value::Sentence,
};
use crate::{
    defs::folded,
    soup::{Tables, check, decode::sweep, op},
};

/// The programs of a text, in order. `file` is the name that errors show.
///
/// The programs are checked as [`decode`](crate::soup::decode()) does; base and hook are no part of a text.
///
/// # Errors
/// All faults found, at most one for each line, in the order of the lines.
///
/// # Source
/// Rules Y90 to Y97.
pub fn read(file: &str, text: &str, tables: &Arc<Tables>) -> Result<Vec<Listing>, Vec<TextError>> {
    read_dialect(file, text, tables, Dialect::Own)
}

/// The programs of a text that the community's mod manager wrote. `names` are those of items and maps.
///
/// Such a text shows neither strings nor all locals: strings are numbered in the order of their first use, and locals
/// without a value begin as 0.
///
/// # Errors
/// As [`read`]; also for what that tool writes and cannot mean: objects that are numbers, labels that no line has.
///
/// # Source
/// Rule Y98.
pub fn read_mod_manager(
    file: &str,
    text: &str,
    tables: &Arc<Tables>,
    names: &Numbered,
) -> Result<Vec<Listing>, Vec<TextError>> {
    read_dialect(file, text, tables, Dialect::ModManager(names))
}

fn read_dialect(
    file: &str,
    text: &str,
    tables: &Arc<Tables>,
    dialect: Dialect<'_>,
) -> Result<Vec<Listing>, Vec<TextError>> {
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).split('\n').collect();
    let mut reading = Reading {
        file,
        lines: &lines,
        tables,
        dialect,
        line: 0,
        place: if dialect.is_foreign() { Place::Head } else { Place::Start },
        branch_line: 0,
        builder: Builder::default(),
        open: Vec::new(),
        suggest: Suggest::default(),
        names: BTreeMap::new(),
        listings: Vec::new(),
        errors: Vec::new(),
    };
    for (index, line) in lines.iter().enumerate() {
        reading.line = index as u32 + 1;
        if dialect.is_foreign() && reading.line <= HEADER_LINES {
            continue;
        }
        if let Err(slip) = reading.line(&with_numbers(line, dialect)) {
            reading.error(reading.line, slip);
        }
        if reading.builder.is_full {
            break;
        }
    }
    reading.finish()
}

/// What the next line can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The first line of the file.
    Start,
    /// A string, a local, or a program's name.
    Head,
    /// The brace of a program.
    Brace,
    /// A statement, a label or the end of a block.
    Block,
    /// The brace of a branch, or for one on the returned byte anything.
    Branch(Branch),
    /// The brace of a branch that could not be read, or anything.
    Unread,
}

/// A block that is open, with the line of its branch.
struct Open {
    branch: Option<Branch>,
    line: u32,
}

struct Reading<'t> {
    file: &'t str,
    lines: &'t [&'t str],
    tables: &'t Arc<Tables>,
    dialect: Dialect<'t>,
    /// From 1.
    line: u32,
    place: Place,
    /// Line of the branch that was read last.
    branch_line: u32,
    builder: Builder,
    open: Vec<Open>,
    suggest: Suggest,
    /// Lines of the programs by their folded names.
    names: BTreeMap<String, u32>,
    listings: Vec<Listing>,
    errors: Vec<TextError>,
}

impl Reading<'_> {
    fn error(&mut self, line: u32, slip: Slip) {
        let content = self.lines.get(line as usize - 1).copied().unwrap_or_default().trim_end_matches('\r');
        // A fault of a whole line is one of what is written in it.
        let indent = content.len() - content.trim_start().len();
        let span = if slip.span.end == usize::MAX { indent..content.trim_end().len() } else { slip.span };
        let start = span.start.min(content.len());
        let span = start..span.end.clamp(start, content.len());
        self.errors.push(TextError::at(self.file, line, content, span, slip.what));
    }

    fn line(&mut self, line: &str) -> Result<(), Slip> {
        let tokens = tokens(line, self.dialect).inspect_err(|_| self.unread(line))?;
        if tokens.is_empty() {
            return Ok(());
        }
        match self.place {
            Place::Start => self.header(line, &tokens),
            Place::Head => self.head(line, &tokens),
            Place::Brace => self.brace(line, &tokens),
            Place::Block => self.block_line(line, &tokens),
            Place::Branch(branch) => self.behind_branch(line, &tokens, Some(branch)),
            Place::Unread => self.behind_branch(line, &tokens, None),
        }
    }

    /// A line without tokens may still have been a branch, whose block follows.
    fn unread(&mut self, line: &str) {
        self.builder.is_broken = true;
        let is_branch = line.trim_start().get(..3).is_some_and(|word| word.eq_ignore_ascii_case("if "));
        self.place = match self.place {
            Place::Block | Place::Branch(_) | Place::Unread if is_branch => Place::Unread,
            Place::Branch(_) | Place::Unread => Place::Block,
            other => other,
        };
    }

    fn header(&mut self, line: &str, tokens: &[Token<'_>]) -> Result<(), Slip> {
        self.place = Place::Head;
        let is_header = match tokens {
            [soup, program, version] => {
                let words = [&soup.kind, &program.kind] == [&Kind::Word("soup386"), &Kind::Word("program")];
                if words && version.kind != Kind::Number("1") {
                    let what = "this version of the text is not known; it is 1 here";
                    return Err(Slip::new(version.span.clone(), what));
                }
                words
            }
            _ => false,
        };
        if is_header {
            return Ok(());
        }
        // The line may be the first of a program.
        let _ = self.head(line, tokens);
        Err(Slip::new(tokens[0].span.clone(), format!("the first line must be \"{HEADER}\"")))
    }

    fn head(&mut self, line: &str, tokens: &[Token<'_>]) -> Result<(), Slip> {
        let mut cursor = Cursor::new(line, tokens);
        let is_setting = tokens.get(1).is_some_and(|token| token.kind == Kind::Sign("="));
        let found = match &tokens[0].kind {
            Kind::Word(word) if is_setting && self.dialect.is_foreign() => self.foreign_setting(&mut cursor, word),
            Kind::Dollar(digits) => self.string(&mut cursor, digits),
            Kind::Word(word) if is_setting => self.local(&mut cursor, word),
            Kind::Word(_) | Kind::Text(_) => {
                self.place = Place::Brace;
                self.name(&mut cursor)
            }
            Kind::Sign("{") => {
                // The name is missing; what is in the braces can be read all the same.
                self.place = Place::Block;
                Err(cursor.expected("the name of a program"))
            }
            _ => Err(cursor.expected("a string ($0 = …), a local (var0 = …) or the name of a program")),
        };
        found.and_then(|()| cursor.end()).inspect_err(|_| self.builder.is_broken = true)
    }

    fn string(&mut self, cursor: &mut Cursor<'_>, digits: &str) -> Result<(), Slip> {
        let next = self.builder.strings.list.len();
        let is_next = digits.parse() == Ok(next);
        cursor.at += 1;
        let span = cursor.last_span();
        cursor.sign("=")?;
        let Some(Kind::Text(bytes)) = cursor.peek() else { return Err(cursor.expected("a string in quotes")) };
        self.builder.strings.push(bytes.clone());
        cursor.at += 1;
        if !is_next {
            return Err(Slip::new(span, format!("strings are numbered in order: this is ${next}")));
        }
        if !self.builder.locals.is_empty() {
            return Err(Slip::new(span, "strings stand above locals"));
        }
        Ok(())
    }

    fn local(&mut self, cursor: &mut Cursor<'_>, word: &str) -> Result<(), Slip> {
        let next = self.builder.locals.len();
        cursor.at += 1;
        let span = cursor.last_span();
        let Some(number) = names::number_of(word, names::LOCAL) else {
            let what = "only locals (var0, var1, …) are set above a program's name";
            return Err(Slip::new(span, what));
        };
        cursor.sign("=")?;
        let value = cursor.int("a number")?;
        if next == 256 {
            return Err(Slip::new(span, "a program has at most 256 locals"));
        }
        self.builder.locals.push(value as i32);
        if number as usize != next {
            return Err(Slip::new(span, format!("locals are numbered in order: this is {}{next}", names::LOCAL)));
        }
        Ok(())
    }

    /// A local, which need not be the next one, or an attribute.
    fn foreign_setting(&mut self, cursor: &mut Cursor<'_>, word: &str) -> Result<(), Slip> {
        let Some(number) = names::number_of(word, names::LOCAL) else {
            self.builder.attributes.push(attribute(cursor)?);
            return Ok(());
        };
        cursor.at += 1;
        let span = cursor.last_span();
        cursor.sign("=")?;
        let value = cursor.int("a number")? as i32;
        if number > 255 {
            return Err(Slip::new(span, "a program has at most 256 locals"));
        }
        let count = self.builder.locals.len().max(number as usize + 1);
        self.builder.locals.resize(count, 0);
        self.builder.locals[number as usize] = value;
        Ok(())
    }

    /// NAME, and where execution starts.
    fn name(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Slip> {
        self.builder.line = self.line;
        let name = match cursor.peek() {
            Some(Kind::Word(word)) => (*word).to_owned(),
            Some(Kind::Text(bytes)) => String::from_utf8(bytes.clone())
                .map_err(|_| Slip::new(cursor.span(), "the bytes of a program's name must be UTF-8"))?,
            _ => return Err(cursor.expected("the name of a program")),
        };
        if matches!(cursor.peek(), Some(Kind::Word(word)) if names::is_reserved(word)) {
            let what = format!("\"{name}\" is a word of the language; as a name it stands in quotes");
            return Err(Slip::new(cursor.span(), what));
        }
        if let Some(line) = self.names.insert(folded(&name), self.line) {
            return Err(Slip::new(cursor.span(), format!("a program of this name is in line {line} already")));
        }
        cursor.at += 1;
        self.builder.name = name;
        if !cursor.takes_sign("(") {
            return Ok(());
        }
        for word in ["Execution", "starts", "at"] {
            if !cursor.takes_word(word) {
                return Err(cursor.expected("\"(Execution starts at #…)\""));
            }
        }
        let label = cursor.label()?.to_owned();
        self.builder.start = Some(LabelRef { label, further: 0, line: self.line, span: cursor.last_span() });
        cursor.sign(")")
    }

    fn brace(&mut self, line: &str, tokens: &[Token<'_>]) -> Result<(), Slip> {
        self.place = Place::Block;
        let mut cursor = Cursor::new(line, tokens);
        if cursor.takes_sign("{") {
            return cursor.end();
        }
        self.builder.is_broken = true;
        let what = "\"{\" on a line of its own, behind the name of a program";
        let missing = cursor.expected(what);
        // It may be a statement: then only the brace is missing.
        let _ = self.block_line(line, tokens);
        Err(missing)
    }

    /// The line behind a branch: usually the brace of its block.
    fn behind_branch(&mut self, line: &str, tokens: &[Token<'_>], branch: Option<Branch>) -> Result<(), Slip> {
        self.place = Place::Block;
        let mut cursor = Cursor::new(line, tokens);
        if cursor.takes_sign("{") {
            let is_too_deep = self.open.len() >= MAX_BLOCKS;
            self.open.push(Open { branch, line: self.branch_line });
            if is_too_deep {
                self.builder.is_broken = true;
                let what = format!("blocks lie at most {MAX_BLOCKS} deep: use \"else\" and a label");
                return Err(Slip::new(cursor.last_span(), what));
            }
            return cursor.end();
        }
        if let Some(Branch::Block { .. }) = branch {
            self.builder.is_broken = true;
            let found = cursor.expected("\"{\" on a line of its own behind an if that has no \"else #…\"");
            let _ = self.block_line(line, tokens);
            return Err(found);
        }
        self.block_line(line, tokens)
    }

    fn block_line(&mut self, line: &str, tokens: &[Token<'_>]) -> Result<(), Slip> {
        let mut cursor = Cursor::new(line, tokens);
        match &tokens[0].kind {
            Kind::Sign("}") => {
                cursor.at = 1;
                let rest = cursor.end();
                self.close();
                rest
            }
            Kind::Label(label) if tokens.get(1).is_some_and(|token| token.kind == Kind::Sign(":")) => {
                cursor.at = 2;
                cursor.end()?;
                self.builder.define(label).map_err(|what| Slip::new(tokens[0].span.clone(), what))
            }
            _ => self.sentence(line, tokens),
        }
    }

    /// A statement; one that is wrong leaves nothing behind.
    fn sentence(&mut self, line: &str, tokens: &[Token<'_>]) -> Result<(), Slip> {
        let mark = self.builder.mark();
        let start = self.builder.offset();
        let mut sentence = Sentence {
            cursor: Cursor::new(line, tokens),
            tables: self.tables,
            builder: &mut self.builder,
            suggest: &mut self.suggest,
            dialect: self.dialect,
            line: self.line,
        };
        let is_branch = sentence.cursor.takes_word("if");
        let read = if is_branch {
            self.branch_line = self.line;
            sentence.builder.after_script_rv = false;
            sentence.branch()
        } else {
            sentence.statement().map(|()| Branch::Complete)
        };
        match read.and_then(|branch| sentence.cursor.end().map(|()| branch)) {
            Ok(Branch::Complete) => {}
            Ok(branch) => self.place = Place::Branch(branch),
            Err(slip) => {
                self.builder.rewind(mark);
                if is_branch {
                    self.place = Place::Unread;
                }
                return Err(slip);
            }
        }
        self.builder.statement(start, self.line).map_err(|what| Slip::new(0..usize::MAX, what))
    }

    /// The end of the innermost block, or of the program.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return self.end_program() };
        let end = self.builder.offset();
        match open.branch {
            Some(Branch::Block { patch }) => self.builder.patch(patch, end),
            Some(Branch::ScriptRv { start }) if !self.builder.is_broken && end != start + op::SCRIPT_RV_SPAN => {
                self.builder.is_broken = true;
                let given = end - start - 2;
                let what =
                    format!("the block of a ScriptRv is five bytes long, skipped ones included; this has {given}");
                self.error(open.line, Slip::new(0..usize::MAX, what));
            }
            _ => {}
        }
    }

    fn end_program(&mut self) {
        self.place = Place::Head;
        let builder = std::mem::take(&mut self.builder);
        match builder.finish(&mut self.suggest) {
            Ok(listing) => self.check(listing),
            Err(slips) => slips.into_iter().for_each(|(line, slip)| self.error(line, slip)),
        }
    }

    /// Errors of the bytes, at the lines of their statements (rule Y97).
    fn check(&mut self, listing: Listing) {
        let program = Arc::new(listing.program);
        let errors = match sweep(&program, self.tables) {
            Ok(mut code) => check::all(&mut code),
            Err(error) => vec![error],
        };
        for error in &errors {
            let place = listing.lines.binary_search_by_key(&error.statement, |&(offset, _)| offset);
            let line = place.map_or(listing.line, |index| listing.lines[index].1);
            self.error(line, Slip::new(0..usize::MAX, error.fault.to_string()));
        }
        if errors.is_empty() {
            let program = Arc::unwrap_or_clone(program);
            self.listings.push(Listing { program, ..listing });
        }
    }

    fn finish(mut self) -> Result<Vec<Listing>, Vec<TextError>> {
        if !self.builder.is_full {
            self.check_end();
        }
        if self.errors.is_empty() {
            return Ok(self.listings);
        }
        self.errors.sort_by_key(|error| error.line);
        self.errors.dedup_by_key(|error| error.line);
        Err(self.errors)
    }

    /// What is missing at the end of the file.
    fn check_end(&mut self) {
        let last = self.lines.len() as u32;
        let whole = |what: String| Slip::new(0..usize::MAX, what);
        match self.place {
            Place::Start => self.error(1, whole(format!("the text is empty; its first line must be \"{HEADER}\""))),
            Place::Head if !self.builder.strings.list.is_empty() || !self.builder.locals.is_empty() => {
                self.error(last, whole("strings and locals are followed by the name of a program".to_owned()));
            }
            Place::Head => {}
            _ => {
                let line = self.open.last().map_or(self.builder.line, |open| open.line);
                self.error(last, whole(format!("a \"}}\" is missing for the block of line {line}")));
            }
        }
    }
}
