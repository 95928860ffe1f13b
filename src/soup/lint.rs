//! What a program may do but hardly means.

use std::{collections::BTreeSet, fmt};

use super::{
    Code, Warning,
    code::{Call, Object, Selector, Statement, StatementIdx, Value},
    flow::{Flow, State},
};
use crate::defs::{ActorDef, Defs, FunctionKind, functions};

/// Task slots of an actor.
const N_SLOTS: usize = 6;

/// Something that is probably a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Offset of the statement.
    pub statement: u32,
    /// What is the matter.
    pub what: FindingKind,
}

/// What is the matter with a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// No way leads here.
    Unreachable {
        /// Statements in a row of which this is true.
        statements: u32,
    },
    /// A way without a Gosub leads to this Return, which then starts the program over.
    ReturnWithoutGosub,
    /// The invocation cannot end once it is here; only the budget ends it.
    EndlessLoop,
    /// More tasks can be alive than an actor has slots; this is the first too many.
    TooManyTasks {
        /// Calls that can hold a slot at the same time.
        tasks: usize,
    },
    /// A statement about a task that no call has started.
    UnmatchedLabel {
        /// The label.
        label: u32,
    },
    /// A call names an animation group that the actor does not have.
    UnknownGroup {
        /// The function.
        function: String,
        /// The group.
        group: i32,
        /// Whose.
        actor: String,
    },
    /// Execution can run past the last statement, which is a fault.
    RunsOut,
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { statements: 1 } => f.write_str("this statement is never reached"),
            Self::Unreachable { statements } => write!(f, "this and the next {} are never reached", statements - 1),
            Self::ReturnWithoutGosub => {
                f.write_str("this Return can be reached without a Gosub: it then starts the program over")
            }
            Self::EndlessLoop => f.write_str("this loop never yields: only the budget stops it, with a fault"),
            Self::TooManyTasks { tasks } => {
                write!(f, "{tasks} tasks of this program can be alive at once; an actor has {N_SLOTS} slots")
            }
            Self::UnmatchedLabel { label } => write!(f, "no task call has the label 0x{label:02X}"),
            Self::UnknownGroup { function, group, actor } => {
                write!(f, "{function} names group {group}, which {actor} does not have")
            }
            Self::RunsOut => f.write_str("execution can leave the program behind this statement, which is a fault"),
        }
    }
}

/// Where a program lives, for what depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Home<'a> {
    /// All actors of the scene.
    pub defs: &'a Defs,
    /// The actor whose program it is.
    pub actor: &'a ActorDef,
}

/// What is probably a mistake, in offset order.
///
/// `home` is the scene's part in it; without one animation groups are not looked at.
#[must_use]
pub fn lint(code: &Code, home: Option<Home<'_>>) -> Vec<Finding> {
    let flow = Flow::of(code);
    let mut findings = unreachable(code, &flow);
    let mut report = |index: StatementIdx, what| findings.push(Finding { statement: code.offset(index), what });
    for index in 0..code.statements().len() as u32 {
        if !flow.is_reached(index) {
            continue;
        }
        let statement = code.statements()[index as usize];
        if statement == Statement::Return && flow.is_reached_in(State { at: index, has_return: false }) {
            report(index, FindingKind::ReturnWithoutGosub);
        }
        if flow.closes_endless_loop(index) {
            report(index, FindingKind::EndlessLoop);
        }
        if flow.runs_out(index) {
            report(index, FindingKind::RunsOut);
        }
        for what in home.iter().flat_map(|home| unknown_groups(code, statement, *home)) {
            report(index, what);
        }
    }
    findings.extend(too_many_tasks(code, &flow));
    findings.extend(code.warnings().iter().map(|Warning::Label { statement, label }| Finding {
        statement: *statement,
        what: FindingKind::UnmatchedLabel { label: *label },
    }));
    findings.sort_by_key(|finding| finding.statement);
    findings
}

fn unreachable(code: &Code, flow: &Flow) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut run: Option<(StatementIdx, u32)> = None;
    for index in 0..=code.statements().len() as u32 {
        let is_dead = (index as usize) < code.statements().len() && !flow.is_reached(index);
        run = match (run, is_dead) {
            (None, false) => None,
            (None, true) => Some((index, 1)),
            (Some((first, count)), true) => Some((first, count + 1)),
            (Some((first, statements)), false) => {
                findings.push(Finding { statement: code.offset(first), what: FindingKind::Unreachable { statements } });
                None
            }
        };
    }
    findings
}

/// Each multitask call holds at most one slot; of the blocking ones main and entry wait for one each.
fn too_many_tasks(code: &Code, flow: &Flow) -> Option<Finding> {
    let mut multitasks = 0;
    let mut blocking = 0;
    let mut first_too_many = None;
    for (index, &statement) in code.statements().iter().enumerate() {
        match own_task(code, statement) {
            Some(_) if !flow.is_reached(index as u32) => continue,
            Some(FunctionKind::Task) => blocking = 1,
            Some(_) => multitasks += 1,
            None => continue,
        }
        if multitasks + blocking > N_SLOTS && first_too_many.is_none() {
            first_too_many = Some(code.offset(index as u32));
        }
    }
    let tasks = multitasks + blocking;
    first_too_many.map(|statement| Finding { statement, what: FindingKind::TooManyTasks { tasks } })
}

/// How a statement takes a slot of the own actor, if it does. A routed call on oneself blocks nothing.
fn own_task(code: &Code, statement: Statement) -> Option<FunctionKind> {
    match statement {
        Statement::Call { dispatch: FunctionKind::Function, .. }
        | Statement::Routed { dispatch: FunctionKind::Function, .. } => None,
        Statement::Call { dispatch, .. } => Some(dispatch),
        Statement::Routed { call, .. } => {
            let is_own = code.call(call).receiver.is_some_and(|receiver| receiver.selector == Selector::Me);
            is_own.then_some(FunctionKind::Multitask)
        }
        _ => None,
    }
}

/// Groups that a call names by number and its actor does not have.
fn unknown_groups(code: &Code, statement: Statement, home: Home<'_>) -> Vec<FindingKind> {
    let (Statement::Call { call, .. } | Statement::Routed { call, .. }) = statement else { return Vec::new() };
    let call = code.call(call);
    let Some(actor) = performer(code, call, home) else { return Vec::new() };
    let declared = call.native.and_then(|native| functions().get(native));
    let Some(declared) = declared.filter(|row| ANIMATED.contains(&row.name)) else { return Vec::new() };
    let parameters = declared.parameters.iter().zip(code.parameters(call));
    let groups: BTreeSet<i32> = parameters
        .filter(|(name, _)| name.starts_with("group"))
        .filter_map(|(_, value)| match value {
            Value::Number(group) => Some(*group),
            _ => None,
        })
        .collect();
    let unknown = groups.into_iter().filter(|&group| group >= 0 && actor.groups.get(group).is_none());
    let finding =
        |group| FindingKind::UnknownGroup { function: declared.name.to_owned(), group, actor: actor.name.clone() };
    unknown.map(finding).collect()
}

/// Functions that play a group of an actor.
const ANIMATED: [&str; 6] =
    ["PlayAnimation", "PushAnimation", "PushControlAnimation", "WaitAnimFrame", "rtxAnim", "RTXpAnim"];

/// The actor whose groups a call means, as far as the text tells.
fn performer<'a>(code: &Code, call: &Call, home: Home<'a>) -> Option<&'a ActorDef> {
    let is_players = code.function(call).name.eq_ignore_ascii_case("RTXpAnim");
    let player = || home.defs.actors().iter().find(|actor| actor.player);
    match call.receiver {
        _ if is_players => player(),
        None | Some(Object { selector: Selector::Me, .. }) => Some(home.actor),
        Some(Object { selector: Selector::Player, .. }) => player(),
        Some(Object { selector: Selector::Text, byte }) => {
            let name = std::str::from_utf8(code.string(byte.into())?).ok()?;
            home.defs.actor_named(name).map(|index| home.defs.actor(index))
        }
        Some(_) => None,
    }
}
