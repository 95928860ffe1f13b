//! Texts of the community's mod manager.

use std::sync::Arc;

use soup386::{
    defs::{FlagDef, FlagKind},
    soup::{
        Tables,
        text::{Listing, Numbered, TextError, read_mod_manager},
    },
};

use crate::support::hex;

fn read(body: &str) -> Result<Vec<Listing>, Vec<TextError>> {
    let flag = FlagDef { name: "Gate".to_owned(), kind: FlagKind::Bool, value: 0 };
    let tables: Arc<Tables> = Tables::built_in(&[flag]);
    let names = Numbered::new([("Iron Sabre", 1), ("Ship's Log (old)", 300), ("ISLAND", 5)]);
    read_mod_manager("island.txt", &format!("Maps\\ISLAND.RGM\nIDs: 1, 2\n\n{body}"), &tables, &names)
}

fn program(body: &str) -> Listing {
    read(body).unwrap_or_else(|errors| panic!("{}", errors[0])).remove(0)
}

fn bytes(line: &str) -> Vec<u8> {
    program(&format!("A\n{{\n{line}\n}}")).program.bytes
}

#[track_caller]
fn fault(line: &str) -> String {
    let errors = read(&format!("A\n{{\n{line}\n}}")).expect_err("a fault");
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].brief()
}

/// Y98: three lines above, attributes and locals in any order, an export of two actors.
#[test]
fn heads() {
    let text = "var3 = -4\n\nattr_health = 20\nattr_weapon = 1\n\nGUARD (Execution starts at #05)\n{\n  End\n\n  #05:\n  \
                End #05 // waits\n}\n\n\nDOG\n{\n}";
    let listings = read(text).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let [guard, dog] = &*listings else { panic!("{} programs", listings.len()) };
    assert_eq!((guard.program.start, &*guard.program.locals), (5, &[0, 0, 0, -4][..]));
    assert_eq!(guard.program.bytes, hex("05 00000000 05 05000000"));
    assert_eq!(guard.attributes, [("attr_health".to_owned(), 20), ("attr_weapon".to_owned(), 1)]);
    assert_eq!((guard.line, &*dog.program.name, dog.program.bytes.len()), (9, "DOG", 0));
}

/// Y98: the signs of multiplication and division are exchanged, jumps without a label go to 0.
#[test]
fn signs() {
    assert_eq!(bytes("var0 = 6 / 2 * 3"), hex("0A00 07 06000000 03 07 02000000 04 07 03000000 00"));
    assert_eq!(bytes("Goto\nEnd"), hex("04 00000000 05 00000000"));
    assert_eq!(bytes("#00:\n@Wait(1)\n<TaskPause(#00)>"), hex("01 3C00 01 07 01000000 1B 00000000"));
}

/// Y98: names and strings are numbered in the order of their first use.
#[test]
fn strings() {
    let listing =
        program("A\n{\ncyrus.pos.vx++\nvar0 = \"a\\b\"\n2guard.pos.vx--\ncyrus.pos.vx--\nvar1 = \"cyrus\"\n}");
    assert_eq!(listing.program.strings, [b"cyrus".to_vec(), b"a\\b".to_vec(), b"2guard".to_vec()]);
    let expected = hex("0F 0400 1200 0A00 15 01000000 00 10 0402 1200 10 0400 1200 0A01 15 00000000 00");
    assert_eq!((listing.program.bytes, &*listing.program.locals), (expected, &[0, 0][..]));
}

/// Y98: keys, items and maps, flags by number.
#[test]
fn parameters() {
    let rtx = Tables::built_in(&[]).function_named("RTX").expect("a function");
    assert_eq!(bytes("RTX(\"gd01\") // Dlg"), hex(&format!("00 {:02X}{:02X} 01 07 67643031", rtx & 255, rtx >> 8)));
    assert_eq!(bytes("HandItem(<iron sabre>)"), hex("02 2E01 01 07 01000000"));
    assert_eq!(bytes("HandItem(<Ship's Log (old)>)"), hex("02 2E01 01 07 2C010000"));
    assert_eq!(bytes("SetGlobalFlag(0)"), hex("02 5500 01 16 00000000"));
    assert_eq!(bytes("SetGlobalFlag(Gate)"), hex("02 5500 01 06 0000 0000"));
}

/// Y98: comparisons have the update byte on both sides, blocks of the returned byte their real value.
#[test]
fn branches() {
    let comparison = bytes("if var0 ++ = Me.pos.vx\n{\n}");
    assert_eq!(comparison, hex("03 0A00 0A 00 14 0000 1200 00 00 10000000"));
    assert_eq!(bytes("if <ScriptRv> = 4\n{\nGosub #0A\n}\n#0A:\nReturn"), hex("1E04 11 07000000 12"));
    assert_eq!(bytes("if var0 < 5 and var1 > 3\n{\n}").len(), 25);
}

/// Y98: what the tool writes and cannot mean.
#[test]
fn what_is_reported() {
    assert!(fault("var0 = var1 ++").contains("in the comparisons of an if only"));
    assert!(fault("123.pos.vx++").contains("\"123\" is no object: the mod manager writes the value of a local"));
    assert!(fault("var0 = 7.pos.vx").contains("\"7\" is no object"));
    assert!(fault("<TaskPause(#17)>").contains("no line has the label #17"));
    assert!(fault("RTX(\"gd1\")").contains("RTX takes a key of four characters"));
    assert!(fault("HandItem(<Golden Sabre>)").contains("expected a value"));
    assert!(read("A\n{\nYield\n").is_err());
}
