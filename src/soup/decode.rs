//! One linear sweep over a program's bytes (rule Y20), one arm per opcode.

use std::sync::Arc;

use super::{
    Code, DecodeError, DecodeFault, Tables, check,
    code::{
        Call, CallIdx, Comparison, Condition, Conjunction, Follower, Object, Operator, Place, RoutedOpcode, Selector,
        Statement, TaskAction, Term, Update, Value,
    },
    op,
    reader::{At, Reader},
};
use crate::defs::{FunctionKind, MAX_PROGRAM, Program};

/// Decodes and checks a program.
///
/// Time and memory are bounded by a small multiple of the program's length.
///
/// # Errors
/// The first fault: of the encoding, then of jump targets, then of numbers that the tables or the program do not have.
///
/// # Source
/// Rules Y4 to Y14, Y20 to Y23.
pub fn decode(program: &Arc<Program>, tables: &Arc<Tables>) -> Result<Code, DecodeError> {
    let mut code = sweep(program, tables)?;
    match check::all(&mut code).into_iter().next() {
        Some(error) => Err(error),
        None => Ok(code),
    }
}

/// The statements without any check; jumps hold the offsets of their targets.
pub(super) fn sweep(program: &Arc<Program>, tables: &Arc<Tables>) -> Result<Code, DecodeError> {
    let fault = |statement, offset, in_hook, fault| DecodeError {
        program: program.name.clone(),
        statement,
        offset,
        in_hook,
        fault,
    };
    if program.bytes.len() > MAX_PROGRAM {
        return Err(fault(0, 0, false, DecodeFault::TooLong { length: program.bytes.len() }));
    }
    if program.locals.len() > 256 {
        return Err(fault(0, 0, false, DecodeFault::TooManyLocals { count: program.locals.len() }));
    }
    let mut sweep = Sweep { bytes: Reader::new(&program.bytes), code: empty(program, tables) };
    while sweep.bytes.left() > 0 {
        let start = sweep.bytes.offset();
        sweep.code.offsets.push(start);
        let statement = sweep.statement().map_err(|(at, reason)| fault(start, at, false, reason))?;
        sweep.code.statements.push(statement);
    }
    sweep.code.offsets.push(sweep.bytes.offset());
    if let Some(hook) = &program.hook {
        sweep.bytes = Reader::new(hook);
        let call = sweep.hook().map_err(|(at, reason)| fault(0, at, true, reason))?;
        sweep.code.hook = Some(call);
    }
    sweep.code.shrink();
    Ok(sweep.code)
}

fn empty(program: &Arc<Program>, tables: &Arc<Tables>) -> Code {
    Code {
        program: Arc::clone(program),
        tables: Arc::clone(tables),
        statements: Vec::new(),
        offsets: Vec::new(),
        terms: Vec::new(),
        conditions: Vec::new(),
        calls: Vec::new(),
        parameters: Vec::new(),
        hook: None,
        warnings: Vec::new(),
    }
}

/// Where a value stands; decides which are allowed and how wide they are (rule Y7).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Comparison,
    Formula,
    Parameter,
    /// A parameter of the hook, which is always five bytes long and never a property (rule Y14).
    Hook,
}

struct Sweep<'a> {
    bytes: Reader<'a>,
    code: Code,
}

impl Sweep<'_> {
    fn statement(&mut self) -> Result<Statement, At> {
        let at = self.bytes.offset();
        Ok(match self.bytes.u8()? {
            op::TASK => self.self_call(FunctionKind::Task)?,
            op::MULTITASK => self.self_call(FunctionKind::Multitask)?,
            op::FUNCTION => self.self_call(FunctionKind::Function)?,
            op::IF => self.branch()?,
            op::GOTO => Statement::Goto(self.bytes.u32()?),
            op::END => Statement::End(self.bytes.u32()?),
            op::GOSUB => Statement::Gosub(self.bytes.u32()?),
            op::FLAG => Statement::SetFlag { flag: self.bytes.u16()?, formula: self.formula()? },
            op::LOCAL => Statement::SetLocal { local: self.bytes.u8()?, formula: self.formula()? },
            op::PROPERTY => Statement::SetProperty { place: self.place()?, formula: self.formula()? },
            op::INCREMENT => Statement::StepProperty { place: self.place()?, update: Update::Increment },
            op::DECREMENT => Statement::StepProperty { place: self.place()?, update: Update::Decrement },
            op::RETURN => Statement::Return,
            op::ENDINT => Statement::Endint,
            op::YIELD => Statement::Yield,
            op::ANCHOR => Statement::Anchor(self.bytes.u8()?),
            op::OBJECT_TASK => self.routed_call(RoutedOpcode::Task)?,
            op::OBJECT_FUNCTION => self.routed_call(RoutedOpcode::Function)?,
            op::TASK_STOP => Statement::Task { action: TaskAction::Stop, label: self.bytes.u32()? },
            op::TASK_PAUSE => Statement::Task { action: TaskAction::Pause, label: self.bytes.u32()? },
            op::TASK_RESUME => Statement::Task { action: TaskAction::Resume, label: self.bytes.u32()? },
            op::SCRIPT_RV => self.script_rv(at)?,
            unknown => return Err((at, DecodeFault::UnknownOpcode(unknown))),
        })
    }

    fn self_call(&mut self, dispatch: FunctionKind) -> Result<Statement, At> {
        Ok(Statement::Call { dispatch, call: self.call(None, RoutedOpcode::Task)? })
    }

    fn routed_call(&mut self, opcode: RoutedOpcode) -> Result<Statement, At> {
        let receiver = self.object()?;
        let dispatch = self.bytes.known(dispatch_of_byte, DecodeFault::Dispatch)?;
        Ok(Statement::Routed { dispatch, call: self.call(Some(receiver), opcode)? })
    }

    fn script_rv(&mut self, start: u32) -> Result<Statement, At> {
        let expected = self.bytes.u8()?;
        let follower = match self.bytes.peek()? {
            op::GOSUB => Follower::Gosub,
            op::RETURN => {
                let [_, padding @ ..] = self.bytes.take::<4>()?;
                Follower::Skip(padding)
            }
            _ => Follower::Other,
        };
        Ok(Statement::ScriptRv { expected, follower, otherwise: start + op::SCRIPT_RV_SPAN })
    }

    fn branch(&mut self) -> Result<Statement, At> {
        let conditions = self.code.conditions.len() as u32;
        loop {
            let (left, left_update) = self.operand()?;
            let comparison = self.bytes.known(Comparison::of_byte, DecodeFault::Comparison)?;
            let (right, right_update) = self.operand()?;
            let conjunction = self.bytes.known(Conjunction::of_byte, DecodeFault::Conjunction)?;
            let condition = Condition { left, right, left_update, comparison, right_update, conjunction };
            self.code.conditions.push(condition);
            if conjunction == Conjunction::End {
                return Ok(Statement::If { conditions, end: self.bytes.u32()? });
            }
        }
    }

    fn formula(&mut self) -> Result<u32, At> {
        let first = self.code.terms.len() as u32;
        loop {
            let value = self.value(Mode::Formula)?;
            let operator = self.bytes.known(Operator::of_byte, DecodeFault::Operator)?;
            self.code.terms.push(Term { value, operator });
            if operator == Operator::End {
                return Ok(first);
            }
        }
    }

    fn operand(&mut self) -> Result<(Value, Update), At> {
        let value = self.value(Mode::Comparison)?;
        let update = match value {
            Value::Flag { .. } | Value::Local { .. } | Value::Property(_) => {
                self.bytes.known(Update::of_byte, DecodeFault::Update)?
            }
            _ => Update::Read,
        };
        Ok((value, update))
    }

    fn value(&mut self, mode: Mode) -> Result<Value, At> {
        let at = self.bytes.offset();
        let is_parameter = matches!(mode, Mode::Parameter | Mode::Hook);
        Ok(match self.bytes.u8()? {
            op::NUMBER => Value::Number(self.bytes.u32()? as i32),
            op::NUMBER_ALT => Value::NumberAlt(self.bytes.u32()?),
            op::STRING => Value::Text(self.bytes.u32()?),
            op::FLAG if is_parameter => {
                let [low, high, padding @ ..] = self.bytes.take::<4>()?;
                Value::Flag { flag: u16::from_le_bytes([low, high]), padding: u16::from_le_bytes(padding) }
            }
            op::FLAG => Value::Flag { flag: self.bytes.u16()?, padding: 0 },
            op::LOCAL if is_parameter => {
                let [local, padding @ ..] = self.bytes.take::<4>()?;
                Value::Local { local, padding }
            }
            op::LOCAL => Value::Local { local: self.bytes.u8()?, padding: [0; 3] },
            op::PROPERTY if mode != Mode::Hook => Value::Property(self.place()?),
            other if is_parameter => return Err((at, DecodeFault::NotAParameter(other))),
            op::FUNCTION => Value::Call(self.call(None, RoutedOpcode::Task)?),
            op::OBJECT_TASK => self.routed_value(RoutedOpcode::Task)?,
            op::OBJECT_FUNCTION => self.routed_value(RoutedOpcode::Function)?,
            other => return Err((at, DecodeFault::NotAValue(other))),
        })
    }

    fn routed_value(&mut self, opcode: RoutedOpcode) -> Result<Value, At> {
        let receiver = self.object()?;
        Ok(Value::Routed(self.call(Some(receiver), opcode)?))
    }

    fn place(&mut self) -> Result<Place, At> {
        Ok(Place { object: self.object()?, property: self.bytes.u16()? })
    }

    fn object(&mut self) -> Result<Object, At> {
        let at = self.bytes.offset();
        let [selector, byte] = self.bytes.take()?;
        let selector = Selector::of_byte(selector).ok_or((at, DecodeFault::Selector(selector)))?;
        Ok(Object { selector, byte })
    }

    fn call(&mut self, receiver: Option<Object>, opcode: RoutedOpcode) -> Result<CallIdx, At> {
        let operands = self.bytes.offset();
        let function = self.function()?;
        let count_at = self.bytes.offset();
        // Function 0 has no count byte (rule Y5).
        let count = if function == 0 { 0 } else { self.bytes.u8()? };
        self.count_is_declared(function, count, count_at)?;
        self.parameters(Mode::Parameter, Call { count, receiver, opcode, ..bare_call(operands, function) })
    }

    fn hook(&mut self) -> Result<CallIdx, At> {
        let function = self.function()?;
        let count_at = self.bytes.offset();
        let count = self.bytes.known(|count| (count <= 8).then_some(count), DecodeFault::HookParameters)?;
        self.count_is_declared(function, count, count_at)?;
        let call = self.parameters(Mode::Hook, Call { count, ..bare_call(0, function) })?;
        match self.bytes.left() {
            0 => Ok(call),
            left => Err((self.bytes.offset(), DecodeFault::LeftOver(left))),
        }
    }

    fn function(&mut self) -> Result<u16, At> {
        let at = self.bytes.offset();
        let function = self.bytes.u16()?;
        let exists = usize::from(function) < self.code.tables.functions().len();
        if exists { Ok(function) } else { Err((at, DecodeFault::UnknownFunction(function))) }
    }

    fn count_is_declared(&self, function: u16, given: u8, at: u32) -> Result<(), At> {
        let row = &self.code.tables.functions()[usize::from(function)];
        let declared = row.parameters;
        if given == declared {
            return Ok(());
        }
        Err((at, DecodeFault::ParameterCount { function: row.name.clone(), declared, given }))
    }

    /// Reads the parameters of a call and stores it.
    fn parameters(&mut self, mode: Mode, call: Call) -> Result<CallIdx, At> {
        let parameters = self.code.parameters.len() as u32;
        for _ in 0..call.count {
            let value = self.value(mode)?;
            self.code.parameters.push(value);
        }
        let native = self.code.tables.functions()[usize::from(call.function)].native;
        self.code.calls.push(Call { parameters, native, ..call });
        Ok(self.code.calls.len() as u32 - 1)
    }
}

fn bare_call(operands: u32, function: u16) -> Call {
    Call { operands, parameters: 0, count: 0, opcode: RoutedOpcode::Task, receiver: None, function, native: None }
}

fn dispatch_of_byte(byte: u8) -> Option<FunctionKind> {
    [FunctionKind::Task, FunctionKind::Multitask, FunctionKind::Function].get(usize::from(byte)).copied()
}
