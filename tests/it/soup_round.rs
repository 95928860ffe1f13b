//! Programs of all kinds survive the way into text and back, and no text makes the reader panic.

use std::sync::Arc;

use proptest::prelude::*;
use soup386::{
    defs::Program,
    soup::{
        Tables, decode,
        text::{read, write},
    },
};

use crate::soup_made::{made, strings, tables};
use crate::support::random_cases;

fn survives(program: Program, tables: &Arc<Tables>) {
    let program = Arc::new(program);
    let code = decode(&program, tables).unwrap_or_else(|error| panic!("{error}: {:02X?}", program.bytes));
    let text = write([&code]);
    let listings = read("round.soup", &text, tables)
        .unwrap_or_else(|errors| panic!("{}\n{text}", errors.iter().map(ToString::to_string).collect::<String>()));
    assert_eq!(listings.len(), 1);
    assert_eq!(listings[0].program, *program, "{text}");
    let again = decode(&Arc::new(listings[0].program.clone()), tables).expect("the same program");
    assert_eq!(write([&again]), text);
}

proptest! {
    #![proptest_config(random_cases(400))]

    /// Y90: every program that decodes.
    #[test]
    fn made_programs(entropy in prop::collection::vec(any::<u8>(), 0..1500)) {
        let tables = tables();
        survives(made(&entropy, &tables), &tables);
    }

    /// Y90: random bytes, cut where they stop to be a program.
    #[test]
    fn random_bytes(
        bytes in prop::collection::vec(prop_oneof![3 => Just(0x18), 1 => 0..0x1Fu8, 1 => any::<u8>()], 0..60),
    ) {
        let tables = tables();
        let program = |bytes: &[u8]| Program {
            bytes: bytes.to_vec(),
            strings: strings(),
            locals: vec![0; 256],
            ..Program::default()
        };
        let longest = (0..=bytes.len()).rev().find(|&end| decode(&Arc::new(program(&bytes[..end])), &tables).is_ok());
        survives(program(&bytes[..longest.unwrap_or(0)]), &tables);
    }

    /// Y97: texts of the right words in any order, and of any characters.
    #[test]
    fn hostile_lines(
        words in prop::collection::vec(prop_oneof![
            prop::sample::select(WORDS).prop_map(str::to_owned),
            ".{0,4}".prop_map(|text| text),
        ], 0..120),
    ) {
        let body = words.join(" ");
        let _ = read("hostile.soup", &body, &tables());
        let text = format!("soup386 program 1\nvar0 = 0\nP\n{{\n{body}\n}}\n");
        match read("hostile.soup", &text, &tables()) {
            Ok(listings) => prop_assert!(!listings.is_empty()),
            Err(errors) => {
                prop_assert!(!errors.is_empty() && errors.len() <= text.lines().count() + 1);
                prop_assert!(errors.is_sorted_by_key(|error| error.line));
                errors.iter().for_each(|error| assert!(!error.to_string().is_empty()));
            }
        }
    }

    /// Y97: what a slip of the pen makes of a good text is read or refused.
    #[test]
    fn damaged_texts(entropy in prop::collection::vec(any::<u8>(), 0..400), at in any::<prop::sample::Index>(), by in any::<u8>()) {
        let tables = tables();
        let program = Arc::new(made(&entropy, &tables));
        let mut text = write([&decode(&program, &tables).expect("a program")]).into_bytes();
        let at = at.index(text.len());
        text[at] = by;
        let _ = read("damaged.soup", &String::from_utf8_lossy(&text), &tables);
    }
}

const WORDS: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "{",
    "}",
    "if",
    "else",
    "#1",
    "#1:",
    "var0",
    "var9",
    "=",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    "++",
    "--",
    "+",
    "-",
    "(",
    ")",
    ",",
    ".",
    "@",
    "&",
    "'ABCD'",
    "'",
    "\"",
    "\"cyrus\"",
    "$0",
    "$",
    "!FF",
    "!",
    "0x10",
    "99999999999",
    "-2147483648",
    "Me",
    "Player",
    "pos.vx",
    "Wait(1)",
    "DrawSword()",
    "alt",
    "task",
    "function",
    "Goto",
    "End",
    "Return",
    "<ScriptRv>",
    "skip",
    "010203",
    "<Anchor>=1",
    "<TaskStop(#1)>",
    "and",
    "or",
    "//",
    "Door",
    "soup386 program 1",
    "\u{0}",
];

/// Y97: nesting, numbers, lines and names of any size are refused in time.
#[test]
fn hostile_sizes() {
    let wrapped = |body: &str| format!("soup386 program 1\nvar0 = 0\nP\n{{\n{body}\n}}\n");
    let refused = |text: String| {
        let errors = read("hostile.soup", &text, &tables()).expect_err("a fault");
        let longest = errors.iter().map(|error| error.to_string().len()).max();
        assert!(longest < Some(1000), "{longest:?}");
        errors.len()
    };
    assert_eq!(refused(wrapped(&"if 1 = 1\n{\n".repeat(50_000))), 50_000 - 32 + 1);
    assert_eq!(refused(wrapped(&format!("var0 = {}", "9".repeat(1_000_000)))), 1);
    assert_eq!(refused(wrapped(&format!("var0 = {}1", "Wait(".repeat(200_000)))), 1);
    assert_eq!(refused(wrapped(&format!("var0 = {}", "(".repeat(1_000_000)))), 1);
    assert_eq!(refused(wrapped(&"x".repeat(1_000_000))), 1);
    assert_eq!(refused(wrapped(&"\u{0}\n".repeat(50_000))), 50_000);
    assert_eq!(refused(wrapped(&"Goto #nowhere\n".repeat(50_000))), 50_000);
    assert_eq!(refused(wrapped(&"Wayt(1)\n".repeat(50_000))), 50_000);
    assert_eq!(refused("}\n".repeat(50_000)), 50_000);
    assert_eq!(refused(format!("soup386 program 1\n{}", "P\n{\n}\n".repeat(20_000))), 19_999);
    assert_eq!(refused(format!("soup386 program 1\n$0 = \"{}\nP\n{{\n}}\n", "é".repeat(100_000))), 1);
}
