//! Programs as text: worked examples, the words for everything, errors with their places.

use std::sync::Arc;

use serde_json::Value as Json;
use soup386::{
    defs::{FlagDef, FlagKind, FunctionKind, Program},
    soup::{
        Code, FunctionRow, PropertyRow, Tables, decode,
        text::{Listing, TextError, read, statement_line, write},
    },
};

use crate::support::hex;

fn flags(names: &[&str]) -> Vec<FlagDef> {
    names.iter().map(|&name| FlagDef { name: name.to_owned(), kind: FlagKind::Number, value: 0 }).collect()
}

fn tables() -> Arc<Tables> {
    Tables::built_in(&flags(&["Door", "Lever"]))
}

fn code(program: Program, tables: &Arc<Tables>) -> Code {
    let bytes = program.bytes.clone();
    decode(&Arc::new(program), tables).unwrap_or_else(|error| panic!("{bytes:02X?}: {error}"))
}

fn read_all(text: &str) -> Vec<Program> {
    match read("test.soup", text, &tables()) {
        Ok(listings) => listings.into_iter().map(|listing| listing.program).collect(),
        Err(errors) => panic!("{}\n{text}", shown(&errors)),
    }
}

fn shown(errors: &[TextError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The bytes of a block's lines in a program with two locals and two strings.
fn assembled(lines: &str) -> Vec<u8> {
    read_all(&wrapped(lines)).remove(0).bytes
}

fn wrapped(lines: &str) -> String {
    format!("soup386 program 1\n$0 = \"cyrus\"\n$1 = \"a b\"\nvar0 = 0\nvar1 = 0\nP\n{{\n{lines}\n}}\n")
}

/// The one line of a program of one statement, or its first when others follow.
fn line_of(bytes: &str) -> String {
    let program = Program {
        name: "P".to_owned(),
        bytes: hex(bytes),
        strings: vec![b"cyrus".to_vec(), b"a b".to_vec()],
        locals: vec![0, 0],
        ..Program::default()
    };
    statement_line(&code(program, &tables()), 0)
}

/// Bytes and line say the same in both directions.
#[track_caller]
fn both(bytes: &str, line: &str) {
    assert_eq!(line_of(bytes), line);
    assert_eq!(assembled(line), hex(bytes), "{line}");
}

fn faults(text: &str) -> Vec<TextError> {
    read("test.soup", text, &tables()).expect_err("faults")
}

/// The only fault of a block's line, which is the eighth of the file.
#[track_caller]
fn fault(line: &str) -> String {
    let errors = faults(&wrapped(line));
    assert_eq!(errors.len(), 1, "{}", shown(&errors));
    assert_eq!(errors[0].line, 8, "{}", errors[0]);
    errors[0].what.clone()
}

/// Y90, Y91, Y93: text of the worked programs is their bytes, and their bytes are that text.
#[test]
fn worked_programs() {
    let cases: Json = serde_json::from_str(include_str!("../data/programs.json")).expect("cases");
    for case in cases.as_array().expect("an array") {
        let text: Vec<&str> = case["text"].as_array().expect("lines").iter().filter_map(Json::as_str).collect();
        let text = text.join("\n");
        let names: Vec<&str> = case["flags"].as_array().expect("flags").iter().filter_map(Json::as_str).collect();
        let tables = Tables::built_in(&flags(&names));
        let listings = read("case.soup", &text, &tables).unwrap_or_else(|errors| panic!("{}", shown(&errors)));
        let expected = case["programs"].as_array().expect("programs");
        assert_eq!(listings.len(), expected.len(), "{}", case["case"]);
        for (listing, program) in listings.iter().zip(expected) {
            assert_eq!(listing.program, worked(program), "{}", case["case"]);
        }
        let codes: Vec<Code> = listings.into_iter().map(|listing| code(listing.program, &tables)).collect();
        assert_eq!(write(&codes), text, "{}", case["case"]);
    }
}

fn worked(case: &Json) -> Program {
    let strings = case["strings"].as_array().expect("strings").iter().filter_map(Json::as_str);
    let locals = case["locals"].as_array().expect("locals").iter().filter_map(Json::as_i64);
    Program {
        name: case["name"].as_str().expect("a name").to_owned(),
        bytes: hex(case["bytes"].as_str().expect("bytes")),
        start: case["start"].as_u64().expect("a start") as u32,
        strings: strings.map(|string| string.as_bytes().to_vec()).collect(),
        locals: locals.map(|local| local as i32).collect(),
        ..Program::default()
    }
}

const GUARD: &str = "soup386 program 1

GUARDX (Execution starts at #05)
{
  End #05

  #05:
  HandItem(1)
  DrawSword()
  End #05
}
";

/// Y90, Y91: a program that starts behind its entry.
#[test]
fn a_guard() {
    let bytes = hex("05 05000000 02 2E01 01 07 01000000 02 2701 00 05 05000000");
    let program = Program { name: "GUARDX".to_owned(), bytes, start: 5, ..Program::default() };
    assert_eq!(read_all(GUARD), std::slice::from_ref(&program));
    assert_eq!(write([&code(program, &tables())]), GUARD);
}

const COUNT: &str = "soup386 program 1

var0 = 0
COUNT
{
  #00:
  var0 = var0 + 1 * 3
  if var0 > 40 or Me.pos.vx++ = 0
  {
    End #00
  }
  if var0 != 7 else #00
  Yield
  Goto #00
}
";

/// Y93: a branch back is no block.
#[test]
fn a_counter_with_both_forms_of_if() {
    let program = read_all(COUNT).remove(0);
    let bytes = "0A00 0A00 01 0701000000 03 0703000000 00 03 0A0000 03 0728000000 02 1400001200 0A 00 0700000000 00 \
                 32000000 05 00000000 03 0A0000 01 0707000000 00 00000000 18 04 00000000";
    assert_eq!(program.bytes, hex(bytes));
    assert_eq!(write([&code(program, &tables())]), COUNT);
}

const TRAP: &str = "soup386 program 1

$0 = \"cyrus\"
TRAP
{
  @PushAnimation(91, 1)
  cyrus.@Wait(10)

  #1A:
  Me.@Wait(20)
  <TaskPause(#1A+3)>
  RTX('gd01')
  Endint
}
";

/// Y91, Y96: routed calls, pausing, a key.
#[test]
fn a_trap() {
    let program = read_all(TRAP).remove(0);
    assert_eq!(program.strings, [b"cyrus".to_vec()]);
    assert_eq!(program.bytes[0x1A..0x26], hex("19 0000 01 3C00 01 07 14000000"));
    assert_eq!(program.bytes[0x26..0x2B], hex("1C 1D000000"));
    assert!(program.bytes.windows(4).any(|bytes| bytes == b"gd01"));
    assert_eq!(write([&code(program, &tables())]), TRAP);
}

/// Y92: what opcode a call has.
#[test]
fn calls() {
    both("00 3C00 01 07 05000000", "Wait(5)");
    both("01 3C00 01 07 05000000", "@Wait(5)");
    both("02 3C00 01 07 05000000", "function Wait(5)");
    both("02 2701 00", "DrawSword()");
    both("00 2701 00", "task DrawSword()");
    both("01 2701 00", "@DrawSword()");
    both("00 0000", "task NullFunction()");
    both("02 0000", "NullFunction()");
}

/// Y92: routed calls have two opcodes, told by the declaration, and three ways to be called.
#[test]
fn routed_calls() {
    both("19 0000 00 3C00 01 07 05000000", "Me.Wait(5)");
    both("19 0100 01 3C00 01 07 05000000", "Player.@Wait(5)");
    both("19 0200 02 3C00 01 07 05000000", "function Camera.Wait(5)");
    both("1A 0400 00 3C00 01 07 05000000", "alt cyrus.Wait(5)");
    both("1A 0A01 02 2701 00", "var1.DrawSword()");
    both("19 0401 00 2701 00", "alt task $1.DrawSword()");
    both("1A 0007 01 2701 00", "Me!07.@DrawSword()");
    both("0A 00 1A 0A01 5400 01 07 05000000 00", "var0 = var1.GetAttribute(5)");
    both("0A 00 19 0A01 5400 01 07 05000000 00", "var0 = alt var1.GetAttribute(5)");
}

/// Y4, Y94: assignments and steps of all places.
#[test]
fn places() {
    both("06 0100 07 01000000 00", "Lever = 1");
    both("0A 01 06 0000 00", "var1 = Door");
    both("14 0000 0000 0A 00 00", "Me.address = var0");
    both("0F 0400 1200", "cyrus.pos.vx++");
    both("10 0401 1200", "$1.pos.vx--");
    both("0F 0002 1200", "Me!02.pos.vx++");
    let grip = Tables::built_in(&[]).property_named("grip[0]").expect("a property");
    both(&format!("0F 0100 {:02X}{:02X}", grip & 255, grip >> 8), "Player.grip[0]++");
}

/// Y7, Y9, Y95: values with everything that execution ignores.
#[test]
fn values() {
    both("0A 00 07 F9FFFFFF 04 16 03000100 00", "var0 = -7 / &65539");
    both("0A 00 16 01000000 05 15 01000000 00", "var0 = &Lever << \"a b\"");
    both("0A 00 15 07000000 06 15 00010000 00", "var0 = $7 >> $256");
    both("02 5400 01 06 0100 0200", "GetAttribute(Lever!02)");
    both("02 5400 01 06 0100 EFBE", "GetAttribute(Lever!BEEF)");
    both("02 5400 01 0A 01 010203", "GetAttribute(var1!30201)");
    both("02 5400 01 14 0400 1200", "GetAttribute(cyrus.pos.vx)");
    both("02 5400 01 15 00000000", "GetAttribute(\"cyrus\")");
    assert_eq!(assembled("var0 = 0xFFFFFFFF"), assembled("var0 = -1"));
    assert_eq!(assembled("var0 = 4294967295"), assembled("VAR0 = - 1"));
}

/// Y23: parameters of routed calls may name locals that the caller does not have.
#[test]
fn locals_of_a_receiver() {
    both("19 0000 02 5400 01 0A 09000000", "alt Me.GetAttribute(var9)");
    assert_eq!(fault("GetAttribute(var9)"), "var9 is not declared: only var0 to var1 stand above the program's name");
    assert!(fault("var9.DrawSword()").contains("var9 is not declared"));
}

/// Y8: comparisons with changes.
#[test]
fn conditions() {
    let bytes = "03 0A000A 00 07 01000000 01 06 0000 0B 05 14 0000 1200 00 02 02 2701 00 01 15 00000000 00 27000000 18";
    let line = "if var0++ = 1 and Door-- >= Me.pos.vx or DrawSword() != \"cyrus\" else #27";
    assert_eq!(line_of(bytes), line);
    assert_eq!(assembled(&format!("{line}\nYield\n#27:")), hex(bytes));
}

/// Y4, Y91: the statements in angle brackets.
#[test]
fn angle_brackets() {
    both("17 07", "<Anchor>=7");
    both("1D 09000000", "<TaskResume(#=9)>");
    assert_eq!(assembled("#A:\nYield\n<TaskStop(#a+4)>"), hex("18 1B 04000000"));
    assert_eq!(line_of("1B 04000000"), "<TaskStop(#00+4)>");
    assert_eq!(line_of("1B 05000000"), "<TaskStop(#=5)>");
}

/// Y93: a branch on the returned byte spans five bytes, or stands alone.
#[test]
fn script_rv() {
    assert_eq!(assembled("if <ScriptRv> = 3\nYield\nYield\nYield\nYield\nYield"), hex("1E03 1818181818"));
    assert_eq!(assembled("if <ScriptRv> = 3\n{\nGosub #1\n}\n#1:\nReturn"), hex("1E03 1107000000 12"));
    assert_eq!(assembled("if <ScriptRv> = 3 skip 0A0B0C\n{\nReturn\n}"), hex("1E03 120A0B0C 12"));
    assert!(fault("if <ScriptRv> = 3\n{\nYield\n}").contains("five bytes long, skipped ones included; this has 1"));
    let returned = faults(&wrapped("if <ScriptRv> = 3\nReturn"));
    assert!(returned[0].what.contains("write skip"), "{}", returned[0]);
    assert_eq!(returned[0].line, 9);
    assert!(fault("if <ScriptRv> = 3\nYield").contains("leads beyond the end"));
    assert!(fault("if <ScriptRv> = 3\nYield\nvar0 = 1").contains("leads into the statement of line 10"));
    assert!(fault("if <ScriptRv> = 3").contains("leads beyond the end"));
}

/// Y93: an inner branch that leaves the outer block has no block of its own; 32 may be open.
#[test]
fn blocks() {
    let leaves = "03 0A0000 00 0A0000 00 1B000000 03 0A0000 00 0A0000 00 1C000000 18 18 18";
    let program = |bytes| Program { name: "P".to_owned(), bytes, locals: vec![0], ..Program::default() };
    let text = write([&code(program(hex(leaves)), &tables())]);
    assert!(
        text.contains("  {\n    if var0 = var0 else #1C\n    Yield\n  }\n  Yield\n\n  #1C:\n  Yield\n}\n"),
        "{text}"
    );
    let mut deep = Vec::new();
    for _ in 0..40 {
        deep.extend(hex("03 0A0000 00 0A0000 00"));
        deep.extend((40_u32 * 13).to_le_bytes());
    }
    let text = write([&code(program(deep.clone()), &tables())]);
    assert_eq!((text.matches("{\n").count(), text.matches(" else #208\n").count()), (33, 8), "{text}");
    assert_eq!(read_all(&text)[0].bytes, deep);
}

/// Y91, Y93: an empty block, and a label at the very end.
#[test]
fn edges_of_blocks() {
    let bytes = hex("03 0A0000 00 0A0000 00 0D000000 04 12000000");
    let program = Program { name: "if".to_owned(), bytes: bytes.clone(), locals: vec![0], ..Program::default() };
    let text = write([&code(program, &tables())]);
    let block = "\"if\"\n{\n  if var0 = var0\n  {\n  }\n  Goto #12\n\n  #12:\n}\n";
    assert!(text.ends_with(block), "{text}");
    assert_eq!(read_all(&text)[0].bytes, bytes);
}

/// Y94: names that the text cannot use are numbers, which can always be read.
#[test]
fn names() {
    let function =
        |name: &str| FunctionRow { name: name.to_owned(), kind: FunctionKind::Function, parameters: 0, native: None };
    let functions = ["Null", "Walk", "Run", "run", "a b", "Yield", "func_0"].map(function);
    let property = |name: &str| PropertyRow { name: name.to_owned(), descriptor: None };
    let properties = ["x", "y.z", "y", "skip", "q[0]"].map(property);
    let flags = flags(&["Gate", "gate", "var7", "Fine", ""]);
    let tables = Arc::new(Tables::new(functions.into(), properties.into(), flags, Vec::new()));
    let lines = "  Walk()\n  func_2()\n  func_3()\n  func_4()\n  func_5()\n  func_6()\n  Me.x++\n  Me.y.z++\n  Me.ref_3++\n  \
                 Me.q[0]++\n  flag_0 = flag_1\n  flag_2 = Fine\n  flag_4 = &0\n";
    let text = format!("soup386 program 1\n\nP\n{{\n{lines}}}\n");
    let listings = read("names.soup", &text, &tables).unwrap_or_else(|errors| panic!("{}", shown(&errors)));
    assert_eq!(write([&code(listings[0].program.clone(), &tables)]), text);
    let canonical = read("names.soup", &text.replace("Walk", "FUNC_1"), &tables).expect("the same program");
    assert_eq!(canonical[0].program, listings[0].program);
}

/// Y94, Y95: strings that name objects, and strings that do not.
#[test]
fn strings() {
    let text = "soup386 program 1\n\n$0 = \"cyrus\"\n$1 = \"twice\"\n$2 = \"twice\"\n$3 = \"q\\\"\\\\\\n\\r\\t\\x00\\xFF~\"\n\
                $4 = \"me\"\nvar0 = -2147483648\n\"Guard 2\"\n{\n  cyrus.pos.vx++\n  $1.pos.vx++\n  $4.pos.vx++\n  \
                var0 = \"twice\"\n}\n";
    let ambiguous = faults(text);
    assert_eq!(ambiguous.len(), 1, "{}", shown(&ambiguous));
    assert!(ambiguous[0].what.contains("more than one string"));
    let text = text.replace("\"twice\"\n}", "$2 * \"me\"\n}");
    let program = read_all(&text).remove(0);
    assert_eq!(program.strings[3], b"q\"\\\n\r\t\x00\xFF~");
    assert_eq!((program.name.as_str(), program.locals[0]), ("Guard 2", i32::MIN));
    assert_eq!(write([&code(program, &tables())]), text);
    assert_eq!(assembled("CYRUS.pos.vx++"), hex("0F 0400 1200"));
}

/// Y96: keys stand for numbers where they are usual, and can be read anywhere.
#[test]
fn keys() {
    let rtx = Tables::built_in(&[]).function_named("RTX").expect("a function");
    both(&format!("00 {:02X}{:02X} 01 07 67643031", rtx & 255, rtx >> 8), "RTX('gd01')");
    assert_eq!(line_of(&format!("00 {:02X}{:02X} 01 07 67643027", rtx & 255, rtx >> 8)), "RTX(657482855)");
    assert_eq!(assembled("var0 = 'AB  '"), hex("0A 00 07 41422020 00"));
    assert!(fault("var0 = 'ABC'").contains("four printable characters"));
}

/// Y97: place, line and caret of an error.
#[test]
fn errors_show_the_line() {
    let errors = faults(&wrapped("  Yield\n\tvar0 = DrawSwrd() + 1"));
    let expected = "test.soup:9:9: no function is \"DrawSwrd\"; did you mean \"DrawSword\"?\n   var0 = DrawSwrd() + 1\n  \
                    \u{20}       ^^^^^^^^";
    assert_eq!(errors[0].to_string(), expected);
}

/// Y97: every wrong line is reported, and what is right is not.
#[test]
fn all_errors_are_reported() {
    let text = "soup386 program 1\nvar0 = 0\nvar2 = 0\nONE\n{\n  Yeld\n  if var0 = \n  {\n    Me.poss.vx = 1\n    Goto #9\n  \
                }\n  Wait()\n  var0 = 1\n}\n\nif\n{\n  Yield\n}\nONE\n{\n}\n";
    let found: Vec<u32> = faults(text).iter().map(|error| error.line).collect();
    assert_eq!(found, [3, 6, 7, 9, 10, 12, 16, 20]);
}

/// Y97: what each fault says.
#[test]
fn what_errors_say() {
    for (line, words) in [
        ("Wait()", "Wait takes 1 parameters, not 0"),
        ("Wait(1, 2)", "Wait takes 1 parameters, not 2"),
        ("Wait(1", "expected \",\", found the end of the line"),
        ("Wait(DrawSword())", "a call is not a parameter"),
        ("Wait(Me.DrawSword())", "a call is not a parameter"),
        ("var0++", "write var0 = var0 + 1"),
        ("Door--", "write Door = Door - 1"),
        ("var0 = var0++", "in the comparisons of an if only"),
        ("var0 = 4294967296", "numbers go from -2147483648 to 4294967295"),
        ("var0 = -2147483649", "numbers go from"),
        ("var0 = 12ab", "this is no number"),
        ("Me.posvx = 1", "no property is \"posvx\""),
        ("Me.pos.vy.q = 1", "no property is \"pos.vy.q\""),
        ("Me.ref_226 = 1", "property 226 is not in the table"),
        ("flag_2 = 1", "flag 2 of 2"),
        ("func_367()", "function 367 is not in the table"),
        ("Lver = 1", "no flag, local or object is \"Lver\"; did you mean \"Lever\"?"),
        ("cyrys.pos.vx = 1", "stands above the program as $2; did you mean \"cyrus\"?"),
        ("$9999.pos.vx = 1", "goes from 0 to 255 here"),
        ("var0 = DrawSword", "is a function: its parameters stand in parentheses"),
        ("var0 = Goto", "is a word of the language"),
        ("Goto", "expected a label such as #1A"),
        ("Goto #99", "no line has the label #99"),
        ("Yield 1", "expected the end of the line, found \"1\""),
        ("if var0 else #1", "expected a comparison"),
        ("if 1++ = 2 else #1", "only a flag, a local or a property can be changed"),
        ("if <ScriptRv> = 256", "a byte is at most 255"),
        ("<Anchr>=1", "did you mean \"Anchor\"?"),
        ("<TaskStop(#1)", "expected \">\""),
        ("alt Wait(1)", "alt is for calls on one"),
        ("task @Wait(1)", "makes the call a multitask"),
        ("task Me.pos.vx = 1", "expected a call"),
        ("var0 = Me.@Wait(1)", "a value is always a function call"),
        ("Wait(var0!1000000)", "padding is at most 6 hexadecimal digits"),
        ("var0 = \"nobody\"", "add it above the name as $2"),
        ("var0 = \"open", "the string is not closed"),
        ("var0 = \"\\q\"", "after a backslash stands one of"),
        ("var0 = \"é\"", "write this byte as \\xC3"),
        ("var0 = 1 ? 2", "the character \"?\" does not belong in a program"),
        ("var0 = 1 \u{0} 2", "the character 0x00 does not belong"),
        ("#1: Yield", "expected the end of the line"),
        ("{", "expected a flag, a local or an object"),
    ] {
        let what = fault(line);
        assert!(what.contains(words), "{line}: {what}");
    }
}

/// Y90, Y97: heads of files and programs.
#[test]
fn heads() {
    let fault = |text: &str| {
        let errors = faults(text);
        assert_eq!(errors.len(), 1, "{}", shown(&errors));
        errors[0].brief()
    };
    assert_eq!(fault(""), "1:1: the text is empty; its first line must be \"soup386 program 1\"");
    assert!(fault("P\n{\n}\n").starts_with("1:1: the first line must be"));
    assert!(fault("soup386 program 2\n").contains("this version of the text is not known"));
    assert!(
        fault("soup386 program 1\n$1 = \"\"\nP\n{\n}\n").starts_with("2:1: strings are numbered in order: this is $0")
    );
    assert!(fault("soup386 program 1\nvar0 = 0\n$0 = \"\"\nP\n{\n}\n").contains("strings stand above locals"));
    assert!(fault("soup386 program 1\nP\n{\n}\np\n{\n}\n").starts_with("5:1: a program of this name is in line 2"));
    assert!(fault("soup386 program 1\nP (Execution starts at #1)\n{\n}\n").starts_with("2:24: no line has the label"));
    assert!(fault("soup386 program 1\nP (Execution starts at #1)\n{\nYield\n#1:\n}\n").contains("is not a statement"));
    assert!(fault("soup386 program 1\nP\n{\nYield\n").starts_with("5:1: a \"}\" is missing for the block of line 2"));
    assert!(fault("soup386 program 1\nP\nYield\n}\n").starts_with("3:1: expected \"{\" on a line of its own"));
    assert!(fault("soup386 program 1\n{\nYield\n}\n").contains("expected the name of a program"));
    assert!(fault("soup386 program 1\nvar0 = 1\n").contains("followed by the name of a program"));
    assert_eq!(read_all("\u{feff}soup386 program 1\r\nP // guard\r\n{\r\n// nothing\r\n}\r\n")[0].bytes, b"");
}

/// Y1, Y97: limits.
#[test]
fn limits() {
    let locals: String = (0..257).map(|at| format!("var{at} = 0\n")).collect();
    let errors = faults(&format!("soup386 program 1\n{locals}P\n{{\n}}\n"));
    assert_eq!((errors[0].line, errors[0].what.as_str()), (258, "a program has at most 256 locals"));
    let long = read("long.soup", &wrapped(&"Yield\n".repeat((1 << 20) + 5)), &tables()).expect_err("too long");
    assert_eq!(long.len(), 1);
    assert!(long[0].what.contains("longer than 1048576 bytes"), "{}", long[0]);
    let mut nested = String::new();
    (0..40).for_each(|_| nested += "if 1 = 1\n{\n");
    (0..40).for_each(|_| nested += "}\n");
    let errors = faults(&wrapped(&nested));
    assert_eq!(errors.len(), 8);
    assert!(errors[0].what.contains("at most 32 deep"));
}

/// Lines and labels of a listing are those of the text.
#[test]
fn a_listing_knows_its_lines() {
    let listings: Vec<Listing> = read("guard.soup", GUARD, &tables()).expect("a program");
    assert_eq!(listings[0].lines, [(0, 5), (5, 8), (14, 9), (18, 10)]);
    assert_eq!(listings[0].labels, [("05".to_owned(), 5)]);
    assert_eq!(listings[0].line, 3);
}
