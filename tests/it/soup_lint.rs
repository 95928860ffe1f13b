//! What the linter finds, and what it leaves alone.

use std::sync::Arc;

use soup386::soup::{Finding, FindingKind, Tables, decode, lint, text::read};

fn findings(body: &str) -> Vec<FindingKind> {
    all(body).into_iter().map(|finding| finding.what).collect()
}

fn all(body: &str) -> Vec<Finding> {
    let text = format!("soup386 program 1\nvar0 = 0\n{body}");
    let text = if body.contains('{') { text } else { format!("soup386 program 1\nvar0 = 0\nP\n{{\n{body}\n}}\n") };
    let tables = Tables::built_in(&[]);
    let listings = read("lint.soup", &text, &tables)
        .unwrap_or_else(|errors| panic!("{}\n{text}", errors.iter().map(ToString::to_string).collect::<String>()));
    let code = decode(&Arc::new(listings[0].program.clone()), &tables).unwrap_or_else(|error| panic!("{error}"));
    lint(&code, None)
}

#[test]
fn a_guard_is_fine() {
    assert_eq!(findings("P (Execution starts at #5)\n{\nEnd #5\n#5:\nDrawSword()\n@Wait(3)\nEnd #5\n}"), []);
    assert_eq!(findings("#0:\nGosub #1\nWait(1)\nGosub #1\nGoto #0\n#1:\nvar0 = var0 + 1\nReturn"), []);
}

#[test]
fn code_that_nothing_reaches() {
    let found = all("#0:\nEnd #0\nvar0 = 1\nYield\n#1:\nEnd #1");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].statement, &found[0].what), (5, &FindingKind::Unreachable { statements: 3 }));
    let start = "P (Execution starts at #9)\n{\n#0:\nEnd #0\nYield\n#9:\nEnd #9\n}";
    assert_eq!(findings(start), [FindingKind::Unreachable { statements: 1 }]);
}

#[test]
fn returns() {
    assert_eq!(findings("Yield\nReturn"), [FindingKind::ReturnWithoutGosub]);
    assert_eq!(findings("Gosub #1\nEndint\n#1:\nReturn"), []);
    let to_itself = "Gosub #1\nReturn\n#1:\nReturn";
    assert_eq!(findings(to_itself), [FindingKind::EndlessLoop, FindingKind::EndlessLoop]);
    assert_eq!(findings("if var0 = 1 else #1\nGosub #1\nEndint\n#1:\nReturn"), [FindingKind::ReturnWithoutGosub]);
}

#[test]
fn loops_that_cannot_yield() {
    const ENDLESS: FindingKind = FindingKind::EndlessLoop;
    assert_eq!(findings("#0:\nvar0 = 1\nGoto #0"), [ENDLESS]);
    assert_eq!(findings("#0:\n@Wait(1)\nGoto #0"), [ENDLESS], "multitasks end nothing");
    assert_eq!(findings("#0:\nWait(1)\nGoto #0"), []);
    assert_eq!(findings("#0:\nMe.Wait(1)\nGoto #0"), [ENDLESS], "nor do calls on objects");
    assert_eq!(findings("#0:\nif var0 = 1 else #0\nEndint"), []);
    assert_eq!(findings("#0:\nif var0 = 1 else #0\nGoto #0"), [ENDLESS, ENDLESS]);
    assert_eq!(findings("#0:\nGosub #1\nGoto #0\n#1:\nReturn"), [ENDLESS, ENDLESS]);
    assert_eq!(findings("#0:\nGosub #1\nGoto #0\n#1:\nYield\nReturn"), []);
}

#[test]
fn leaving_the_program() {
    assert_eq!(findings("var0 = 1"), [FindingKind::RunsOut]);
    assert_eq!(findings("Yield"), [FindingKind::RunsOut]);
    let block = all("P\n{\nif var0 = 1\n{\nEndint\n}\n}");
    assert_eq!((block.len(), block[0].statement, &block[0].what), (1, 0, &FindingKind::RunsOut));
}

#[test]
fn six_tasks_are_enough() {
    let calls = |n: usize| format!("#0:\n{}End #0", "@Wait(1)\n".repeat(n));
    assert_eq!(findings(&calls(6)), []);
    assert_eq!(findings(&calls(7)), [FindingKind::TooManyTasks { tasks: 7 }]);
    let mixed = format!("#0:\nWait(1)\nWait(2)\n{}End #0", "Me.Wait(1)\n".repeat(6));
    let found = all(&mixed);
    assert_eq!(found[0].what, FindingKind::TooManyTasks { tasks: 7 });
    assert_eq!(findings(&format!("#0:\nDrawSword()\n{}End #0", "Player.Wait(1)\n".repeat(9))), []);
}

/// Y22: labels of tasks.
#[test]
fn labels_that_match_nothing() {
    assert_eq!(
        findings("#0:\n@Wait(1)\n<TaskStop(#0)>\n<TaskStop(#0+1)>\nEnd #0"),
        [FindingKind::UnmatchedLabel { label: 1 }]
    );
}
