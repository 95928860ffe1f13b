//! The packed commands and their names.

use proptest::prelude::*;
use soup386::defs::{Command, CommandError, Opcode};

use crate::support::random_cases;

/// The bytes of a 24-bit word, lowest first.
fn bytes(word: u32) -> [u8; 3] {
    [word as u8, (word >> 8) as u8, (word >> 16) as u8]
}

/// The word decodes to the command of this text, and the text reads and encodes back to the word.
fn check(word: u32, text: &str) {
    let command = Command::decode(bytes(word));
    assert_eq!(command.to_string(), text, "{word:#08x}");
    assert_eq!(text.parse(), Ok(command), "{text}");
    assert_eq!(command.encode(), Ok(bytes(word)), "{text}");
}

/// C0, C17: 20 bits, unsigned.
#[test]
fn a_frame_reference_is_unsigned() {
    check(0x000000, "ShowFrame 0");
    check(0x0fbc30, "ShowFrame 64451"); // 0xfbc3
    check(0x0bc030, "ShowFrame 48131"); // 0xbc03
    check(0x800000, "ShowFrame 524288");
    check(0xfffff0, "ShowFrame 1048575");
}

/// C1, C2, C3, C5, C11, C12, C13, C14: one signed operand of 20 bits.
#[test]
fn twenty_bit_operands_are_signed() {
    let names = [
        (1, "EndAnimation"),
        (2, "GoToPrevious"),
        (3, "GoToFuture"),
        (5, "BreakPoint"),
        (11, "Rumble"),
        (12, "DelayCounter"),
        (13, "ConditionalDelay"),
        (14, "LoopControl"),
    ];
    for (opcode, name) in names {
        check(0x000010 | opcode, &format!("{name} 1"));
        check(0x7ffff0 | opcode, &format!("{name} 524287"));
        check(0x800000 | opcode, &format!("{name} -524288"));
        check(0xfffff0 | opcode, &format!("{name} -1"));
    }
}

/// C4, C10: two signed operands of 10 bits. The second begins at bit 14: 1 is 0x4000.
#[test]
fn ten_bit_pairs_are_signed() {
    for (opcode, name) in [(4, "PlaySound"), (10, "ChangeAnimGroup")] {
        check(0x004000 | 3 << 4 | opcode, &format!("{name} 3 1"));
        check(0x7fc000 | opcode, &format!("{name} 0 511"));
        check(0x800000 | 511 << 4 | opcode, &format!("{name} 511 -512"));
        check(0xffc000 | 512 << 4 | opcode, &format!("{name} -512 -1"));
    }
}

/// C6, C8: three signed operands of 6 bits at 4, 10 and 16.
#[test]
fn six_bit_triples_are_signed() {
    for (opcode, name) in [(6, "SetRotationXYZ"), (8, "SetPositionXYZ")] {
        check(1 << 4 | 2 << 10 | 3 << 16 | opcode, &format!("{name} 1 2 3"));
        check(31 << 4 | 32 << 10 | 63 << 16 | opcode, &format!("{name} 31 -32 -1"));
    }
}

/// C7, C9: an unsigned axis of 2 bits and a signed value of 18.
#[test]
fn an_axis_is_unsigned_and_its_value_signed() {
    for (opcode, name) in [(7, "SetRotationAxis"), (9, "SetPositionAxis")] {
        check(1 << 4 | 12 << 6 | opcode, &format!("{name} 1 12"));
        check(3 << 4 | 0x1ffff << 6 | opcode, &format!("{name} 3 131071"));
        check(2 << 4 | 0x20000 << 6 | opcode, &format!("{name} 2 -131072"));
        check(0x3ffff << 6 | opcode, &format!("{name} 0 -1"));
    }
}

/// C15: an unsigned mask of 6 bits and two signed operands of 7.
#[test]
fn a_transition_has_an_unsigned_mask() {
    check(15 | 4 << 4 | 3 << 10 | 9 << 17, "Transition 4 3 9");
    check(15 | 63 << 4 | 63 << 10 | 64 << 17, "Transition 63 63 -64");
    check(15 | 32 << 4 | 127 << 10 | 63 << 17, "Transition 32 -1 63");
}

/// C16: the two bits above three 6-bit operands are not read, and are written as zero.
#[test]
fn bits_above_the_operands_are_ignored() {
    for opcode in [6, 8] {
        let word = 1 << 4 | 2 << 10 | 3 << 16 | opcode;
        let command = Command::decode(bytes(word | 0xc00000));
        assert_eq!(command, Command::decode(bytes(word)));
        assert_eq!(command.encode(), Ok(bytes(word)));
    }
}

/// C16: just outside each field.
#[test]
fn operands_outside_their_field_are_rejected() {
    let cases = [
        (Opcode::ShowFrame, [-1, 0, 0], "reference"),
        (Opcode::ShowFrame, [1 << 20, 0, 0], "reference"),
        (Opcode::GoToPrevious, [1 << 19, 0, 0], "target"),
        (Opcode::GoToFuture, [-(1 << 19) - 1, 0, 0], "target"),
        (Opcode::PlaySound, [512, 0, 0], "effect"),
        (Opcode::PlaySound, [0, -513, 0], "rate"),
        (Opcode::SetRotationXYZ, [0, 32, 0], "y"),
        (Opcode::SetPositionXYZ, [0, 0, -33], "z"),
        (Opcode::SetRotationAxis, [4, 0, 0], "axis"),
        (Opcode::SetPositionAxis, [-1, 0, 0], "axis"),
        (Opcode::SetPositionAxis, [0, 1 << 17, 0], "value"),
        (Opcode::Transition, [64, 0, 0], "mask"),
        (Opcode::Transition, [0, 64, 0], "start"),
        (Opcode::Transition, [0, 0, -65], "target"),
    ];
    for (opcode, operands, wanted) in cases {
        match (Command { opcode, operands }).encode() {
            Err(CommandError::OutOfRange { operand, .. }) => assert_eq!(operand, wanted),
            other => panic!("{opcode:?} {operands:?}: {other:?}"),
        }
        let words: Vec<_> = operands[..opcode.fields().len()].iter().map(i32::to_string).collect();
        let text = format!("{} {}", opcode.name(), words.join(" "));
        assert!(matches!(text.parse::<Command>(), Err(CommandError::OutOfRange { .. })), "{text}");
    }
}

/// C18: operands in the order of the table, decimal; `ActorEvent` is `Rumble`.
#[test]
fn mnemonics_are_a_name_and_decimal_operands() {
    let transition = Command { opcode: Opcode::Transition, operands: [4, 3, 9] };
    assert_eq!("Transition 4 3 9".parse(), Ok(transition));
    let rumble = Command { opcode: Opcode::Rumble, operands: [16, 0, 0] };
    assert_eq!("Rumble 16".parse(), Ok(rumble));
    assert_eq!("ActorEvent 16".parse(), Ok(rumble));
    assert_eq!(rumble.to_string(), "Rumble 16");
    for wrong in ["Rumble 0x10", "Rumble", "Rumble 1 2", "ShowFrmae 1", "", "PlaySound 1"] {
        assert!(wrong.parse::<Command>().is_err(), "{wrong}");
    }
}

/// Any command whose operands are in range.
fn commands() -> impl Strategy<Value = Command> {
    (0_u8..16).prop_flat_map(|code| {
        let opcode = Command::decode([code, 0, 0]).opcode;
        let operand = |i: usize| match opcode.fields().get(i) {
            Some(field) => (field.range().0..=field.range().1).boxed(),
            None => Just(0).boxed(),
        };
        (operand(0), operand(1), operand(2)).prop_map(move |(x, y, z)| Command { opcode, operands: [x, y, z] })
    })
}

proptest! {
    #![proptest_config(random_cases(2000))]

    /// C16: what encodes decodes to itself.
    #[test]
    fn decoding_undoes_encoding(command in commands()) {
        let packed = command.encode().expect("operands in range");
        prop_assert_eq!(Command::decode(packed), command);
        prop_assert_eq!(command.to_string().parse(), Ok(command));
    }

    /// C16: every word decodes, and encodes to itself without the bits above its operands.
    #[test]
    fn encoding_undoes_decoding(packed: [u8; 3]) {
        let [b0, b1, b2] = packed;
        let has_top_bits = matches!(b0 & 15, 6 | 8);
        let kept = if has_top_bits { [b0, b1, b2 & 0x3f] } else { packed };
        prop_assert_eq!(Command::decode(packed).encode(), Ok(kept));
    }
}
