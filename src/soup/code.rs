//! The decoded form of a program: flat arrays of small values, nothing lost.
//!
//! Statements are numbered in offset order; a jump holds the number of its target, and the number one past the last
//! statement is the program's end. Formulas and conditions lie in runs that end themselves: a run begins at the index
//! that the statement holds and its last element says so ([`Operator::End`], [`Conjunction::End`]). Calls of all kinds
//! lie in one list, their parameters in another.
//!
//! A machine keeps cursors as offsets, enters by [`Code::index_of`] and then works on statement numbers alone:
//!
//! ```text
//! loop { match code.statements()[at] { Statement::SetLocal { local, formula } => code.formula(formula) … } }
//! ```
//!
//! Running needs no text, hashing or allocation. Bytes that execution ignores (rule Y9) are kept in the values, so a
//! writer needs nothing else either.

use std::sync::Arc;

use super::{
    FunctionRow, Tables, Warning, op,
    walk::{self, Part, Scope},
};
use crate::defs::{FunctionKind, NativeId, Program, PropertyId};

/// A decoded and checked program.
#[derive(Clone, Debug)]
pub struct Code {
    pub(super) program: Arc<Program>,
    pub(super) tables: Arc<Tables>,
    pub(super) statements: Vec<Statement>,
    /// Offset of each statement, then the program's length.
    pub(super) offsets: Vec<u32>,
    pub(super) terms: Vec<Term>,
    pub(super) conditions: Vec<Condition>,
    pub(super) calls: Vec<Call>,
    pub(super) parameters: Vec<Value>,
    pub(super) hook: Option<CallIdx>,
    pub(super) warnings: Vec<Warning>,
}

/// The number of a statement; the number of statements is the program's end.
pub type StatementIdx = u32;
/// The position of a call in [`Code::call`]'s list.
pub type CallIdx = u32;

/// One statement (rule Y4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Call on the own actor.
    Call {
        /// How it is called.
        dispatch: FunctionKind,
        /// What is called.
        call: CallIdx,
    },
    /// Call on the object that the call names.
    Routed {
        /// How it is called.
        dispatch: FunctionKind,
        /// What is called, with its receiver.
        call: CallIdx,
    },
    /// Goes to `end` unless the conditions hold.
    If {
        /// First of the conditions.
        conditions: u32,
        /// Where to go on when they do not hold.
        end: StatementIdx,
    },
    /// Jump.
    Goto(StatementIdx),
    /// Jump that ends the invocation.
    End(StatementIdx),
    /// Jump that remembers where to return.
    Gosub(StatementIdx),
    /// Assignment to a flag.
    SetFlag {
        /// The flag.
        flag: u16,
        /// First term.
        formula: u32,
    },
    /// Assignment to a local.
    SetLocal {
        /// The local.
        local: u8,
        /// First term.
        formula: u32,
    },
    /// Assignment to a property.
    SetProperty {
        /// The property.
        place: Place,
        /// First term.
        formula: u32,
    },
    /// Adds 1 to a property or takes 1 from it.
    StepProperty {
        /// The property.
        place: Place,
        /// Which of the two; never [`Update::Read`].
        update: Update,
    },
    /// Jump back.
    Return,
    /// Ends the invocation and begins anew.
    Endint,
    /// Ends the invocation.
    Yield,
    /// Sets the anchor property.
    Anchor(u8),
    /// Acts on the slot of a task call.
    Task {
        /// What happens to it.
        action: TaskAction,
        /// Offset of the call's operands minus one (rule Y66).
        label: u32,
    },
    /// Goes to `otherwise` unless the returned byte is the expected one (rule Y40).
    ScriptRv {
        /// The expected byte.
        expected: u8,
        /// What follows it.
        follower: Follower,
        /// The statement seven bytes further.
        otherwise: StatementIdx,
    },
}

/// What a task statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskAction {
    /// Frees the slot.
    Stop,
    /// Pauses it.
    Pause,
    /// Goes on with it.
    Resume,
}

/// What stands behind the branch on the returned byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follower {
    /// A Gosub: the returned byte is saved before going on.
    Gosub,
    /// A Return and three ignored bytes, all of which belong to the statement.
    Skip([u8; 3]),
    /// Any other statement.
    Other,
}

/// One value of a formula and the operator behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The value.
    pub value: Value,
    /// What joins it to the next.
    pub operator: Operator,
}

/// Operators of formulas (rule Y13); their byte is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Operator {
    /// The formula ends.
    End = 0,
    /// `+`
    Add = 1,
    /// `-`
    Subtract = 2,
    /// `*`
    Multiply = 3,
    /// `/`, unsigned.
    Divide = 4,
    /// `<<`
    ShiftLeft = 5,
    /// `>>`
    ShiftRight = 6,
    /// `&`
    And = 7,
    /// `|`
    Or = 8,
    /// `^`
    Xor = 9,
}

/// One comparison of an If and the conjunction behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Left value.
    pub left: Value,
    /// Right value.
    pub right: Value,
    /// What happens to the left value's place.
    pub left_update: Update,
    /// How they are compared.
    pub comparison: Comparison,
    /// What happens to the right value's place.
    pub right_update: Update,
    /// What joins it to the next.
    pub conjunction: Conjunction,
}

/// Comparisons, signed (rule Y33); their byte is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Comparison {
    /// `=`
    Equal = 0,
    /// `!=`
    Differs = 1,
    /// `<`
    Less = 2,
    /// `>`
    Greater = 3,
    /// `<=`
    AtMost = 4,
    /// `>=`
    AtLeast = 5,
}

/// How one comparison is joined to the next; their byte is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Conjunction {
    /// No other follows.
    End = 0,
    /// `and`
    And = 1,
    /// `or`
    Or = 2,
}

/// What reading a place does to it besides (rules Y8, Y51).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Nothing.
    Read,
    /// Adds 1 first.
    Increment,
    /// Takes 1 first.
    Decrement,
}

/// A value (rule Y7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The number.
    Number(i32),
    /// As a parameter the low half, unsigned; else the whole as `i32`.
    NumberAlt(u32),
    /// As a parameter the string whose index is the low byte; else the whole as `i32`.
    Text(u32),
    /// The value of a flag.
    Flag {
        /// Its number.
        flag: u16,
        /// Ignored.
        padding: u16,
    },
    /// The value of a local.
    Local {
        /// Its number.
        local: u8,
        /// Ignored.
        padding: [u8; 3],
    },
    /// The value of a property.
    Property(Place),
    /// The result of a call on the own actor.
    Call(CallIdx),
    /// The result of a call on the object that the call names.
    Routed(CallIdx),
}

/// A property of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose.
    pub object: Object,
    /// Number in the table in force ([`Code::descriptor`]).
    pub property: u16,
}

/// How an object is named (rule Y11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The way.
    pub selector: Selector,
    /// The number of the string or local; ignored for the others.
    pub byte: u8,
}

/// Ways to name an object; their byte is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Selector {
    /// The evaluation actor.
    Me = 0,
    /// The player.
    Player = 1,
    /// The camera.
    Camera = 2,
    /// The actor that a string names.
    Text = 4,
    /// The actor named by the string whose index a local holds.
    Local = 0x0A,
}

/// A call and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Offset of the function number: added to the base it is the identity of a task (rule Y62).
    pub operands: u32,
    /// First parameter; [`Code::parameters`] gives them all.
    pub parameters: u32,
    /// Number of parameters.
    pub count: u8,
    /// Which of the two opcodes of a routed call it has; they act alike.
    pub opcode: RoutedOpcode,
    /// The object of a routed call.
    pub receiver: Option<Object>,
    /// Number in the table in force.
    pub function: u16,
    /// The function of the registry that this is; none: only a host can answer.
    pub native: Option<NativeId>,
}

/// The opcode of a routed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoutedOpcode {
    /// 0x19; also stands where a call is not routed.
    Task,
    /// 0x1A.
    Function,
}

impl Code {
    /// The program that this is the decoded form of.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The names in force.
    #[must_use]
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// All statements, in offset order.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The offset of a statement; the program's length for its end.
    ///
    /// # Panics
    /// When `index` is greater than the number of statements.
    #[must_use]
    pub fn offset(&self, index: StatementIdx) -> u32 {
        self.offsets[index as usize]
    }

    /// The statement at an offset, or the end; none within a statement or beyond the end.
    #[must_use]
    pub fn index_of(&self, offset: u32) -> Option<StatementIdx> {
        self.offsets.binary_search(&offset).ok().map(|index| index as u32)
    }

    /// The last statement that begins at this offset or below it; none for offsets past the end.
    #[must_use]
    pub fn statement_at_or_below(&self, offset: u32) -> Option<StatementIdx> {
        let is_inside = (offset as usize) < self.program.bytes.len();
        is_inside.then(|| self.offsets.partition_point(|&start| start <= offset) as u32 - 1)
    }

    /// The terms of a formula and whatever lies behind them: reading stops at [`Operator::End`].
    #[must_use]
    pub fn formula(&self, first: u32) -> &[Term] {
        &self.terms[first as usize..]
    }

    /// The conditions of an If and whatever lies behind them: reading stops at [`Conjunction::End`].
    #[must_use]
    pub fn conditions(&self, first: u32) -> &[Condition] {
        &self.conditions[first as usize..]
    }

    /// One call. Indices come from this value, so they are always in range.
    #[must_use]
    pub fn call(&self, index: CallIdx) -> &Call {
        &self.calls[index as usize]
    }

    /// All calls, in offset order; the hook's comes last.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The parameters of a call, in written order. None of them is a call.
    #[must_use]
    pub fn parameters(&self, call: &Call) -> &[Value] {
        let first = call.parameters as usize;
        &self.parameters[first..first + usize::from(call.count)]
    }

    /// The call of the hook (rule Y14).
    #[must_use]
    pub fn hook(&self) -> Option<&Call> {
        self.hook.map(|index| self.call(index))
    }

    /// The declaration of the called function.
    #[must_use]
    pub fn function(&self, call: &Call) -> &FunctionRow {
        &self.tables.functions()[usize::from(call.function)]
    }

    /// The descriptor behind a property number of the table in force (rule Y12).
    #[must_use]
    pub fn descriptor(&self, property: u16) -> Option<PropertyId> {
        self.tables.properties()[usize::from(property)].descriptor
    }

    /// The bytes of a string; none beyond the table.
    #[must_use]
    pub fn string(&self, index: u32) -> Option<&[u8]> {
        self.program.strings.get(index as usize).map(Vec::as_slice)
    }

    /// Bytes of memory that the decoded form takes beside the program itself.
    #[must_use]
    pub fn decoded_size(&self) -> usize {
        size_of_val(&*self.statements)
            + size_of_val(&*self.offsets)
            + size_of_val(&*self.terms)
            + size_of_val(&*self.conditions)
            + size_of_val(&*self.calls)
            + size_of_val(&*self.parameters)
    }

    /// Gives back what was reserved in growing.
    pub(super) fn shrink(&mut self) {
        self.statements.shrink_to_fit();
        self.offsets.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.conditions.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.parameters.shrink_to_fit();
    }

    /// One more than the greatest local that the program's own operands name.
    #[must_use]
    pub fn n_named_locals(&self) -> usize {
        let mut named = 0;
        let mut see = |part, scope| {
            let local = match part {
                Part::Local(local) => Some(local),
                Part::Object(Object { selector: Selector::Local, byte }) => Some(byte),
                _ => None,
            };
            if let Some(local) = local.filter(|_| scope == Scope::Own) {
                named = named.max(usize::from(local) + 1);
            }
        };
        self.statements.iter().for_each(|&statement| walk::statement(self, statement, &mut see));
        if let Some(hook) = self.hook {
            walk::call(self, hook, &mut see);
        }
        named
    }

    /// What the program may do but hardly means.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl Operator {
    /// The operator of a byte.
    #[must_use]
    pub fn of_byte(byte: u8) -> Option<Self> {
        use Operator::{Add, And, Divide, End, Multiply, Or, ShiftLeft, ShiftRight, Subtract, Xor};
        [End, Add, Subtract, Multiply, Divide, ShiftLeft, ShiftRight, And, Or, Xor].get(usize::from(byte)).copied()
    }
}

impl Comparison {
    /// The comparison of a byte.
    #[must_use]
    pub fn of_byte(byte: u8) -> Option<Self> {
        use Comparison::{AtLeast, AtMost, Differs, Equal, Greater, Less};
        [Equal, Differs, Less, Greater, AtMost, AtLeast].get(usize::from(byte)).copied()
    }
}

impl Conjunction {
    /// The conjunction of a byte.
    #[must_use]
    pub fn of_byte(byte: u8) -> Option<Self> {
        [Self::End, Self::And, Self::Or].get(usize::from(byte)).copied()
    }
}

impl Update {
    /// The meaning of an update byte in a comparison.
    #[must_use]
    pub fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Read),
            op::UPDATE_UP => Some(Self::Increment),
            op::UPDATE_DOWN => Some(Self::Decrement),
            _ => None,
        }
    }
}

impl Selector {
    /// The selector of a byte.
    #[must_use]
    pub fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Me),
            1 => Some(Self::Player),
            2 => Some(Self::Camera),
            4 => Some(Self::Text),
            0x0A => Some(Self::Local),
            _ => None,
        }
    }
}
