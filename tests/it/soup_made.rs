//! Valid programs of all kinds, made from any bytes.

use std::sync::Arc;

use soup386::{
    defs::{FlagDef, FlagKind, Program},
    soup::Tables,
};

/// Numbers drawn from bytes that shrink well; 0 when they are used up.
struct Draw<'a>(std::slice::Iter<'a, u8>);

impl Draw<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, n: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % n
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    fn is_over(&self) -> bool {
        self.0.len() == 0
    }
}

/// A program in the making. Targets are filled in when all statements are known.
struct Making<'a> {
    draw: Draw<'a>,
    tables: &'a Tables,
    bytes: Vec<u8>,
    boundaries: Vec<u32>,
    targets: Vec<usize>,
}

const LOCALS: usize = 3;

impl Making<'_> {
    fn statement(&mut self) {
        self.boundaries.push(self.bytes.len() as u32);
        match self.draw.below(15) {
            0 => self.op_call(&[0, 1, 2]),
            1 => self.routed(&[0x19, 0x1A], true),
            2 | 3 => self.branch(),
            4 => self.jump(&[4, 5, 0x11]),
            5 => {
                let flag = self.draw.below(self.tables.flags().len()) as u16;
                self.bytes.push(6);
                self.bytes.extend(flag.to_le_bytes());
                self.formula();
            }
            6 | 7 => {
                let local = self.draw.below(LOCALS) as u8;
                self.bytes.extend([0x0A, local]);
                self.formula();
            }
            8 => {
                let op = [0x0F, 0x10][self.draw.below(2)];
                self.bytes.push(op);
                self.property(false);
            }
            9 => self.bytes.push([0x12, 0x13, 0x18][self.draw.below(3)]),
            10 => {
                self.bytes.push(0x14);
                self.property(false);
                self.formula();
            }
            11 => {
                let value = self.draw.byte();
                self.bytes.extend([0x17, value]);
            }
            12 => {
                let label = [self.draw.byte(), self.draw.byte() % 2, 0, self.draw.byte() / 255];
                self.bytes.push(0x1B + self.draw.byte() % 3);
                self.bytes.extend(label);
            }
            _ => self.script_rv(),
        }
    }

    fn jump(&mut self, opcodes: &[u8]) {
        let op = opcodes[self.draw.below(opcodes.len())];
        self.bytes.push(op);
        self.target();
    }

    fn target(&mut self) {
        self.targets.push(self.bytes.len());
        let chosen = self.draw.bytes::<4>();
        self.bytes.extend(chosen);
    }

    /// The five bytes behind it are whole statements in one of five ways.
    fn script_rv(&mut self) {
        let expected = self.draw.byte();
        self.bytes.extend([0x1E, expected]);
        let start = self.bytes.len() as u32;
        match self.draw.below(5) {
            0 => {
                self.boundaries.extend(start..start + 5);
                self.bytes.extend([0x18; 5]);
            }
            1 => {
                let padding = self.draw.bytes::<3>();
                self.bytes.push(0x12);
                self.bytes.extend(padding);
                self.boundaries.push(start + 4);
                self.bytes.push(0x12);
            }
            2 => {
                self.boundaries.extend([start, start + 2, start + 4]);
                self.bytes.extend([0x17, 1, 0x17, 2, 0x13]);
            }
            _ => {
                self.boundaries.push(start);
                self.jump(&[0x11, 5]);
            }
        }
    }

    fn branch(&mut self) {
        self.bytes.push(3);
        loop {
            self.comparand();
            let comparison = self.draw.byte() % 6;
            self.bytes.push(comparison);
            self.comparand();
            let conjunction = [0, 0, 1, 2][self.draw.below(4)];
            self.bytes.push(conjunction);
            if conjunction == 0 {
                return self.target();
            }
        }
    }

    fn comparand(&mut self) {
        if self.value(false) {
            let update = [0, 0, 0x0A, 0x0B][self.draw.below(4)];
            self.bytes.push(update);
        }
    }

    fn formula(&mut self) {
        loop {
            self.value(false);
            let operator = if self.draw.byte() < 140 { 0 } else { self.draw.byte() % 10 };
            self.bytes.push(operator);
            if operator == 0 {
                return;
            }
        }
    }

    /// A value outside parameters; whether it is a place.
    fn value(&mut self, is_receiver: bool) -> bool {
        let kind = self.draw.below(9);
        match kind {
            0 | 1 => self.number(0x07),
            2 => self.number(0x16),
            3 => self.number(0x15),
            4 => {
                let flag = self.draw.below(self.tables.flags().len()) as u16;
                self.bytes.push(6);
                self.bytes.extend(flag.to_le_bytes());
            }
            5 => {
                let local = self.draw.below(LOCALS) as u8;
                self.bytes.extend([0x0A, local]);
            }
            6 => {
                self.bytes.push(0x14);
                self.property(is_receiver);
            }
            7 => self.op_call(&[2]),
            _ => self.routed(&[0x19, 0x1A], false),
        }
        (4..=6).contains(&kind)
    }

    fn number(&mut self, op: u8) {
        let mut number = self.draw.bytes::<4>();
        if self.draw.byte() < 128 {
            number = [number[0] % 8, 0, 0, 0];
        }
        self.bytes.push(op);
        self.bytes.extend(number);
    }

    fn property(&mut self, is_receiver: bool) {
        let object = self.object(is_receiver);
        self.bytes.extend(object);
        let property = self.draw.below(self.tables.properties().len()) as u16;
        self.bytes.extend(property.to_le_bytes());
    }

    fn object(&mut self, is_receiver: bool) -> [u8; 2] {
        let byte = if self.draw.byte() < 128 { 0 } else { self.draw.byte() };
        match self.draw.below(5) {
            at @ 0..3 => [at as u8, byte],
            3 => [4, byte % 12],
            _ => [0x0A, if is_receiver { byte } else { byte % LOCALS as u8 }],
        }
    }

    fn op_call(&mut self, ops: &[u8]) {
        let op = ops[self.draw.below(ops.len())];
        self.bytes.push(op);
        self.call(false);
    }

    fn routed(&mut self, ops: &[u8], is_statement: bool) {
        let op = ops[self.draw.below(ops.len())];
        self.bytes.push(op);
        let object = self.object(false);
        self.bytes.extend(object);
        if is_statement {
            let dispatch = self.draw.byte() % 3;
            self.bytes.push(dispatch);
        }
        self.call(true);
    }

    fn call(&mut self, is_receiver: bool) {
        let function = self.draw.below(self.tables.functions().len());
        let count = self.tables.functions()[function].parameters;
        self.bytes.extend((function as u16).to_le_bytes());
        if function != 0 {
            self.bytes.push(count);
        }
        (0..count).for_each(|_| self.parameter(is_receiver));
    }

    fn parameter(&mut self, is_receiver: bool) {
        match self.draw.below(8) {
            0 | 1 => self.number(0x07),
            2 => self.number(0x16),
            3 => self.number(0x15),
            4 => {
                let flag = self.draw.below(self.tables.flags().len()) as u16;
                let padding = if self.draw.byte() < 128 { [0; 2] } else { self.draw.bytes::<2>() };
                self.bytes.push(6);
                self.bytes.extend(flag.to_le_bytes());
                self.bytes.extend(padding);
            }
            5 => {
                let local = if is_receiver { self.draw.byte() } else { self.draw.below(LOCALS) as u8 };
                let padding = if self.draw.byte() < 128 { [0; 3] } else { self.draw.bytes::<3>() };
                self.bytes.extend([0x0A, local]);
                self.bytes.extend(padding);
            }
            6 => self.bytes.extend([0x07, b'g', b'd', b'0', b'1']),
            _ => {
                self.bytes.push(0x14);
                self.property(is_receiver);
            }
        }
    }

    fn finish(mut self) -> (Vec<u8>, u32) {
        let mut ends = self.boundaries.clone();
        ends.push(self.bytes.len() as u32);
        for at in self.targets {
            let mut chosen = [0; 4];
            chosen.copy_from_slice(&self.bytes[at..at + 4]);
            let target = ends[u32::from_le_bytes(chosen) as usize % ends.len()];
            self.bytes[at..at + 4].copy_from_slice(&target.to_le_bytes());
        }
        let start = self.boundaries.get(self.draw.below(self.boundaries.len().max(1))).copied().unwrap_or(0);
        (self.bytes, start)
    }
}

/// Tables with flags whose names a text can and cannot use.
pub(crate) fn tables() -> Arc<Tables> {
    let flag = |name: &str| FlagDef { name: name.to_owned(), kind: FlagKind::Number, value: 0 };
    Tables::built_in(&["Door", "if", "twice", "TWICE", "flag_9", "a b", "Wait"].map(flag))
}

/// Strings that are names, and strings that are not.
pub(crate) fn strings() -> Vec<Vec<u8>> {
    let strings: [&[u8]; 9] =
        [b"cyrus", b"twice", b"twice", b"me", b"", b"q\"\\\n\x00\xFF", b"Door", b"a b", &[b'x'; 300]];
    strings.map(<[u8]>::to_vec).into()
}

/// A valid program: the same bytes give the same one.
pub(crate) fn made(entropy: &[u8], tables: &Tables) -> Program {
    let draw = Draw(entropy.iter());
    let mut making = Making { draw, tables, bytes: Vec::new(), boundaries: Vec::new(), targets: Vec::new() };
    while !making.draw.is_over() {
        making.statement();
    }
    let (bytes, start) = making.finish();
    let name = ["GUARD", "if", "a \"b\"", "", "Tränke"][bytes.len() % 5].to_owned();
    Program { name, bytes, start, strings: strings(), locals: vec![0, -1, i32::MIN], ..Program::default() }
}
