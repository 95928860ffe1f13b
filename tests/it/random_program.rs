//! Valid programs made from any bytes: what random tests and the fuzz target of the machine run.

use soup386::{
    defs::{Program, functions, properties},
    soup::op,
};

/// Decisions taken from bytes; 0 when they are used up.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A number below `n`, which is at most 256.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte) % n.max(1)
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number that is small more often than not.
    fn number(&mut self) -> i32 {
        match self.below(4) {
            0 => i32::from_le_bytes([0; 4].map(|_: u8| self.below(256) as u8)),
            1 => -(self.below(5) as i32),
            _ => self.below(9) as i32,
        }
    }
}

/// Locals of every program.
const LOCALS: usize = 3;
/// Flags that the scene must have.
pub(crate) const FLAGS: usize = 2;
/// Strings of every program: the two actors of the scene, and nobody.
const STRINGS: [&str; 3] = ["A", "b", "nobody"];

const FUNCTIONS: [&str; 22] = [
    "Wait",
    "Wait",
    "NullFunction",
    "Rnd",
    "SetAttribute",
    "GetAttribute",
    "SetGlobalFlag",
    "TestGlobalFlag",
    "WaitOnTasks",
    "WaitNonMulti",
    "KillMyTasks",
    "RotateByAxis",
    "sRotateToAxis",
    "MoveByAxis",
    "MoveObjectAxis",
    "SyncWithGroup",
    "DisplayHandModel",
    "Sound",
    "HideMe",
    "PushAnimation",
    "DisableHook",
    "ResetPosition",
];
const PROPERTIES: [&str; 9] = [
    "pos.vx",
    "angle.vy",
    "torch_timer",
    "script_rv",
    "script_ret_rv",
    "task_timer[0]",
    "script_pc",
    "anim.current",
    "weapon_drawn",
];

/// The bytes of one statement; targets are numbers of statements until all are known.
struct Draft {
    bytes: Vec<u8>,
    /// Where a target of four bytes stands, and the statement that it means.
    target: Option<(usize, usize)>,
}

struct Generator<'c, 'b> {
    choices: &'c mut Choices<'b>,
    statements: usize,
    out: Vec<u8>,
}

impl Generator<'_, '_> {
    fn object(&mut self) {
        let selector = self.choices.of(&[0, 0, 1, 2, 4, 0x0A]);
        let byte = if selector == 0x0A { self.choices.below(LOCALS) } else { self.choices.below(4) };
        self.out.extend([selector, byte as u8]);
    }

    fn property(&mut self) {
        self.object();
        let name = self.choices.of(&PROPERTIES);
        self.out.extend(properties().named(name).expect("a property").0.to_le_bytes());
    }

    fn parameter(&mut self) {
        match self.choices.below(6) {
            0 => self.out.extend([op::FLAG, self.choices.below(FLAGS) as u8, 0, 0, 0]),
            1 => self.out.extend([op::LOCAL, self.choices.below(LOCALS) as u8, 0, 0, 0]),
            2 => {
                self.out.push(op::PROPERTY);
                self.property();
            }
            3 => self.out.extend([op::STRING, self.choices.below(4) as u8, 0, 0, 0]),
            _ => {
                self.out.push(op::NUMBER);
                self.out.extend(self.choices.number().to_le_bytes());
            }
        }
    }

    fn call(&mut self) {
        let name = self.choices.of(&FUNCTIONS);
        let row = functions().named(name).and_then(|id| functions().get(id)).expect("a function");
        self.out.extend(row.id.0.to_le_bytes());
        if row.id.0 != 0 {
            self.out.push(row.parameters.len() as u8);
            (0..row.parameters.len()).for_each(|_| self.parameter());
        }
    }

    /// A value outside of parameters; whether an update byte can follow it.
    fn value(&mut self) -> bool {
        match self.choices.below(8) {
            0 => self.out.extend([op::FLAG, self.choices.below(FLAGS) as u8, 0]),
            1 | 2 => self.out.extend([op::LOCAL, self.choices.below(LOCALS) as u8]),
            3 => {
                self.out.push(op::PROPERTY);
                self.property();
            }
            4 => {
                self.out.push(op::FUNCTION);
                self.call();
                return false;
            }
            5 => {
                self.out.push(op::OBJECT_TASK);
                self.object();
                self.call();
                return false;
            }
            _ => {
                self.out.push(op::NUMBER);
                self.out.extend(self.choices.number().to_le_bytes());
                return false;
            }
        }
        true
    }

    fn formula(&mut self) {
        loop {
            self.value();
            let operator = self.choices.of(&[0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
            self.out.push(operator);
            if operator == 0 {
                return;
            }
        }
    }

    fn operand(&mut self) {
        if self.value() {
            let update = self.choices.of(&[0, 0, op::UPDATE_UP, op::UPDATE_DOWN]);
            self.out.push(update);
        }
    }

    /// Opens a place for a target and returns it.
    fn target(&mut self) -> Option<(usize, usize)> {
        let at = self.out.len();
        self.out.extend([0; 4]);
        Some((at, self.choices.below(self.statements + 1)))
    }

    fn statement(&mut self) -> Draft {
        self.out = Vec::new();
        let mut target = None;
        let opcode = self.choices.of(&[
            op::TASK,
            op::MULTITASK,
            op::MULTITASK,
            op::FUNCTION,
            op::IF,
            op::IF,
            op::GOTO,
            op::END,
            op::END,
            op::FLAG,
            op::LOCAL,
            op::LOCAL,
            op::INCREMENT,
            op::DECREMENT,
            op::GOSUB,
            op::RETURN,
            op::ENDINT,
            op::PROPERTY,
            op::ANCHOR,
            op::YIELD,
            op::OBJECT_TASK,
            op::OBJECT_FUNCTION,
            op::TASK_STOP,
            op::TASK_PAUSE,
            op::TASK_RESUME,
        ]);
        self.out.push(opcode);
        match opcode {
            op::TASK | op::MULTITASK | op::FUNCTION => self.call(),
            op::IF => {
                loop {
                    self.operand();
                    let comparison = self.choices.below(6) as u8;
                    self.out.push(comparison);
                    self.operand();
                    let conjunction = self.choices.of(&[0, 0, 1, 2]);
                    self.out.push(conjunction);
                    if conjunction == 0 {
                        break;
                    }
                }
                target = self.target();
            }
            op::GOTO | op::END | op::GOSUB => target = self.target(),
            op::FLAG => {
                self.out.extend([self.choices.below(FLAGS) as u8, 0]);
                self.formula();
            }
            op::LOCAL => {
                self.out.push(self.choices.below(LOCALS) as u8);
                self.formula();
            }
            op::PROPERTY => {
                self.property();
                self.formula();
            }
            op::INCREMENT | op::DECREMENT => self.property(),
            op::ANCHOR => self.out.push(self.choices.below(256) as u8),
            op::OBJECT_TASK | op::OBJECT_FUNCTION => {
                self.object();
                self.out.push(self.choices.below(3) as u8);
                self.call();
            }
            op::TASK_STOP | op::TASK_PAUSE | op::TASK_RESUME => {
                self.out.extend([self.choices.below(64) as u8, 0, 0, 0]);
            }
            _ => {}
        }
        Draft { bytes: std::mem::take(&mut self.out), target }
    }
}

/// A program that decodes against a scene with [`FLAGS`] flags.
pub(crate) fn program(name: &str, choices: &mut Choices<'_>) -> Program {
    let statements = 1 + choices.below(24);
    let mut generator = Generator { choices, statements, out: Vec::new() };
    let drafts: Vec<Draft> = (0..statements).map(|_| generator.statement()).collect();
    let mut offsets = vec![0];
    for draft in &drafts {
        offsets.push(offsets.last().expect("an offset") + draft.bytes.len());
    }
    let mut bytes = Vec::new();
    for mut draft in drafts {
        if let Some((at, statement)) = draft.target {
            draft.bytes[at..at + 4].copy_from_slice(&(offsets[statement] as u32).to_le_bytes());
        }
        bytes.extend(draft.bytes);
    }
    let start = offsets[choices.below(statements)] as u32;
    Program {
        name: name.to_owned(),
        bytes,
        start,
        strings: STRINGS.map(|text| text.as_bytes().to_vec()).to_vec(),
        locals: (0..LOCALS).map(|_| choices.number()).collect(),
        base: 0,
        hook: None,
    }
}
