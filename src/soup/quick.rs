//! The statements that need nothing but locals and numbers, in a form that runs fast.
//!
//! Most of what a loop does is arithmetic on locals. [`Quick::run`] executes such statements one after the other until
//! one needs the world; what it does is what the rules say about each statement (Y33, Y34, Y50), no more and no less.

use std::collections::HashMap;

use super::{
    Code,
    code::{Comparison, Conjunction, Operator, Statement, StatementIdx, Term, Update, Value},
};

/// Where a value comes from: the number of a local or, behind the locals, of a constant.
type Source = u16;

/// Which orders of two values a comparison holds for: bit 0 less, 1 equal, 2 greater. One test serves for all six.
type Orders = u8;

/// One statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    /// Not of this kind.
    Other,
    /// `local = a`
    Set { local: u8, a: Source },
    /// `local = a + b`
    Add { local: u8, a: Source, b: Source },
    /// `local = a op b`
    Set2 { local: u8, op: Operator, a: Source, b: Source },
    /// `local = a * b + c`
    MultiplyAdd { local: u8, a: Source, b: Source, c: Source },
    /// `local = a op b op c`
    Set3 { local: u8, ops: [Operator; 2], abc: [Source; 3] },
    /// Goes to `end` unless `a comparison b`.
    If { orders: Orders, a: Source, b: Source, end: StatementIdx },
    /// The same before a jump, which is the next statement: the end of a loop.
    Loop { orders: Orders, a: Source, b: Source, end: StatementIdx, target: StatementIdx },
    /// The same for two comparisons.
    If2 { orders: [Orders; 2], both: bool, abcd: [Source; 4], end: StatementIdx },
    /// Jump.
    Goto(StatementIdx),
}

/// Why [`Quick::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The next statement is of another kind, there is none, or no budget is left.
    Statement,
    /// The statement divides by zero; nothing was stored.
    Divide,
}

/// The quick statements of a program.
#[derive(Clone, Debug, Default)]
pub struct Quick {
    /// As many as there are statements.
    ops: Vec<Op>,
    constants: Vec<i32>,
}

impl Quick {
    /// Finds the quick statements.
    #[must_use]
    pub fn new(code: &Code) -> Self {
        let mut pool = Pool { n_locals: code.program().locals.len(), constants: Vec::new(), index: HashMap::new() };
        let statements = code.statements().iter();
        let mut ops: Vec<_> = statements.map(|&statement| pool.op(code, statement).unwrap_or(Op::Other)).collect();
        for next in 1..ops.len() {
            if let (Op::If { orders, a, b, end }, Op::Goto(target)) = (ops[next - 1], ops[next]) {
                ops[next - 1] = Op::Loop { orders, a, b, end, target };
            }
        }
        Self { ops, constants: pool.constants }
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of_val(&self.ops[..]) + size_of_val(&self.constants[..])
    }

    /// What must stand behind the locals in the values that [`Self::run`] is given.
    #[must_use]
    pub fn constants(&self) -> &[i32] {
        &self.constants
    }

    /// Executes statements from `at` on, each for one of `left`. `values` are the program's locals, then the constants.
    #[inline]
    pub fn run(&self, at: &mut StatementIdx, left: &mut u32, values: &mut [i32]) -> Exit {
        let mut machine = Machine { values };
        let (mut now, mut budget) = (*at, *left);
        let exit = loop {
            let Some(&op) = self.ops.get(now as usize) else { break Exit::Statement };
            if budget == 0 {
                break Exit::Statement;
            }
            match op {
                Op::Other => break Exit::Statement,
                Op::Add { local, a, b } => {
                    let value = machine.value(a).wrapping_add(machine.value(b));
                    machine.set(local, value);
                    now += 1;
                }
                Op::If { orders, a, b, end } => {
                    now = if machine.compare(orders, a, b) { now + 1 } else { end };
                }
                Op::Loop { orders, a, b, end, target } => {
                    now = match machine.compare(orders, a, b) {
                        false => end,
                        true if budget == 1 => now + 1,
                        true => {
                            budget -= 1;
                            target
                        }
                    };
                }
                Op::Goto(target) => now = target,
                Op::Set { local, a } => {
                    machine.set(local, machine.value(a));
                    now += 1;
                }
                Op::Set2 { local, op, a, b } => {
                    let Some(value) = op.apply(machine.value(a), machine.value(b)) else { break Exit::Divide };
                    machine.set(local, value);
                    now += 1;
                }
                Op::MultiplyAdd { local, a, b, c } => {
                    let product = machine.value(a).wrapping_mul(machine.value(b));
                    machine.set(local, product.wrapping_add(machine.value(c)));
                    now += 1;
                }
                Op::Set3 { local, ops: [first, second], abc: [a, b, c] } => {
                    let value = first.apply(machine.value(a), machine.value(b));
                    let value = value.and_then(|value| second.apply(value, machine.value(c)));
                    let Some(value) = value else { break Exit::Divide };
                    machine.set(local, value);
                    now += 1;
                }
                Op::If2 { orders: [first, second], both, abcd: [a, b, c, d], end } => {
                    let (first, second) = (machine.compare(first, a, b), machine.compare(second, c, d));
                    now = if if both { first & second } else { first | second } { now + 1 } else { end };
                }
            }
            budget -= 1;
        };
        (*at, *left) = (now, budget);
        exit
    }
}

struct Machine<'a> {
    values: &'a mut [i32],
}

impl Machine<'_> {
    #[inline(always)]
    fn value(&self, source: Source) -> i32 {
        // The decoder has checked the locals, and the constants stand behind them.
        self.values.get(usize::from(source)).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn compare(&self, orders: Orders, a: Source, b: Source) -> bool {
        let (a, b) = (self.value(a), self.value(b));
        let order = u8::from(a >= b) + u8::from(a > b);
        orders >> order & 1 != 0
    }

    #[inline(always)]
    fn set(&mut self, local: u8, value: i32) {
        if let Some(place) = self.values.get_mut(usize::from(local)) {
            *place = value;
        }
    }
}

impl Comparison {
    /// Whether the comparison holds, signed (rule Y33).
    #[inline]
    #[must_use]
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Differs => left != right,
            Self::Less => left < right,
            Self::Greater => left > right,
            Self::AtMost => left <= right,
            Self::AtLeast => left >= right,
        }
    }

    /// For which of the three orders it holds.
    fn orders(self) -> Orders {
        let holds = |left, right| u8::from(self.holds(left, right));
        holds(0, 1) | holds(0, 0) << 1 | holds(1, 0) << 2
    }
}

impl Operator {
    /// The result of an operator (rule Y50); none where a divisor is zero. The end of a formula leaves the left value.
    #[inline(always)]
    #[must_use]
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            Self::Add => left.wrapping_add(right),
            Self::Subtract => left.wrapping_sub(right),
            Self::Multiply => left.wrapping_mul(right),
            Self::Divide => (left as u32).checked_div(right as u32)? as i32,
            // Both take the low five bits of the count.
            Self::ShiftLeft => left.wrapping_shl(right as u32),
            Self::ShiftRight => left.wrapping_shr(right as u32),
            Self::And => left & right,
            Self::Or => left | right,
            Self::Xor => left ^ right,
            Self::End => left,
        })
    }
}

/// The constants so far, each once.
struct Pool {
    n_locals: usize,
    constants: Vec<i32>,
    /// Looked up by value only, never walked.
    index: HashMap<i32, Source>,
}

impl Pool {
    fn op(&mut self, code: &Code, statement: Statement) -> Option<Op> {
        match statement {
            Statement::Goto(target) => Some(Op::Goto(target)),
            Statement::SetLocal { local, formula } => self.formula(local, code.formula(formula)),
            Statement::If { conditions, end } => {
                let conditions = code.conditions(conditions);
                let first = conditions.first()?;
                let mut side = |value, update: Update| if update == Update::Read { self.source(value) } else { None };
                let (a, b) = (side(first.left, first.left_update)?, side(first.right, first.right_update)?);
                if first.conjunction == Conjunction::End {
                    return Some(Op::If { orders: first.comparison.orders(), a, b, end });
                }
                let second = conditions.get(1).filter(|second| second.conjunction == Conjunction::End)?;
                let (c, d) = (side(second.left, second.left_update)?, side(second.right, second.right_update)?);
                let orders = [first.comparison.orders(), second.comparison.orders()];
                Some(Op::If2 { orders, both: first.conjunction == Conjunction::And, abcd: [a, b, c, d], end })
            }
            _ => None,
        }
    }

    fn formula(&mut self, local: u8, terms: &[Term]) -> Option<Op> {
        let length = terms.iter().position(|term| term.operator == Operator::End)? + 1;
        match *terms.get(..length)? {
            [a] => Some(Op::Set { local, a: self.source(a.value)? }),
            [a, b] => {
                let (op, first) = (a.operator, self.source(a.value)?);
                Some(match (op, b.value) {
                    // Both wrap, so taking a number away is adding its negative.
                    (Operator::Subtract, Value::Number(b)) => {
                        Op::Add { local, a: first, b: self.constant(b.wrapping_neg())? }
                    }
                    (Operator::Add, b) => Op::Add { local, a: first, b: self.source(b)? },
                    (op, b) => Op::Set2 { local, op, a: first, b: self.source(b)? },
                })
            }
            [a, b, c] => {
                let ops = [a.operator, b.operator];
                let abc = [self.source(a.value)?, self.source(b.value)?, self.source(c.value)?];
                let [a, b, c] = abc;
                let fused = ops == [Operator::Multiply, Operator::Add];
                Some(if fused { Op::MultiplyAdd { local, a, b, c } } else { Op::Set3 { local, ops, abc } })
            }
            _ => None,
        }
    }

    fn source(&mut self, value: Value) -> Option<Source> {
        match value {
            Value::Local { local, .. } => Some(local.into()),
            Value::Number(number) => self.constant(number),
            Value::NumberAlt(number) | Value::Text(number) => self.constant(number as i32),
            _ => None,
        }
    }

    fn constant(&mut self, value: i32) -> Option<Source> {
        if let Some(&known) = self.index.get(&value) {
            return Some(known);
        }
        let source = u16::try_from(self.n_locals + self.constants.len()).ok()?;
        self.constants.push(value);
        self.index.insert(value, source);
        Some(source)
    }
}
