//! The opcode bytes (rules Y4 and Y7). One list for the decoder, the writer and the reader of texts.

/// Self call that ends the invocation.
pub const TASK: u8 = 0x00;
/// Self call in a slot; the caller goes on.
pub const MULTITASK: u8 = 0x01;
/// Self call at once; in values, the call whose result is the value.
pub const FUNCTION: u8 = 0x02;
/// Conditional branch.
pub const IF: u8 = 0x03;
/// Jump.
pub const GOTO: u8 = 0x04;
/// Jump that ends the invocation.
pub const END: u8 = 0x05;
/// Assignment to a flag; in values, a flag.
pub const FLAG: u8 = 0x06;
/// A number; only in values.
pub const NUMBER: u8 = 0x07;
/// Assignment to a local; in values, a local.
pub const LOCAL: u8 = 0x0A;
/// Adds 1 to a property.
pub const INCREMENT: u8 = 0x0F;
/// Takes 1 from a property.
pub const DECREMENT: u8 = 0x10;
/// Jump that remembers where to return.
pub const GOSUB: u8 = 0x11;
/// Jump back.
pub const RETURN: u8 = 0x12;
/// Ends the invocation and begins anew.
pub const ENDINT: u8 = 0x13;
/// Assignment to a property; in values, a property.
pub const PROPERTY: u8 = 0x14;
/// A string index; only in values.
pub const STRING: u8 = 0x15;
/// A number whose low half alone counts as a parameter; only in values.
pub const NUMBER_ALT: u8 = 0x16;
/// Sets the anchor property.
pub const ANCHOR: u8 = 0x17;
/// Ends the invocation.
pub const YIELD: u8 = 0x18;
/// Call on another object, as compilers write it for tasks.
pub const OBJECT_TASK: u8 = 0x19;
/// Call on another object, as compilers write it for functions.
pub const OBJECT_FUNCTION: u8 = 0x1A;
/// Frees the slot of a task call.
pub const TASK_STOP: u8 = 0x1B;
/// Pauses the slot of a task call.
pub const TASK_PAUSE: u8 = 0x1C;
/// Goes on with the slot of a task call.
pub const TASK_RESUME: u8 = 0x1D;
/// Branch on the byte that a subroutine returned.
pub const SCRIPT_RV: u8 = 0x1E;

/// Update byte of a value in a comparison: add 1 (rule Y8).
pub const UPDATE_UP: u8 = 0x0A;
/// Update byte of a value in a comparison: take 1 (rule Y8).
pub const UPDATE_DOWN: u8 = 0x0B;

/// From the branch on the returned byte to where it goes when the byte is another (rule Y40).
pub const SCRIPT_RV_SPAN: u32 = 7;
