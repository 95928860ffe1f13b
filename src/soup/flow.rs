//! Where execution can go: from statement to statement, with and without somewhere to return to.

use super::{
    Code,
    code::{Statement, StatementIdx},
};
use crate::defs::FunctionKind;

/// A statement and whether a Gosub was executed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) at: StatementIdx,
    pub(super) has_return: bool,
}

/// What follows a statement.
struct Steps {
    /// Where execution goes on in the same invocation.
    within: [Option<StatementIdx>; 2],
    /// Where it goes on in a later one.
    later: Option<StatementIdx>,
    /// Whether the invocation can end here.
    ends: bool,
    /// Whether it jumps back behind some Gosub.
    returns: bool,
}

/// The ways through a program.
pub(super) struct Flow {
    /// By statement, the end included: reached without and with somewhere to return to.
    reached: Vec<[bool; 2]>,
    /// By statement: whether the invocation can end from here on.
    can_end: Vec<bool>,
    /// By statement: whether execution can go back from here in the same invocation.
    goes_back: Vec<bool>,
    /// By statement: whether it leads past the last statement.
    runs_out: Vec<bool>,
}

impl Flow {
    pub(super) fn of(code: &Code) -> Self {
        let count = code.statements().len();
        let gosubs: Vec<StatementIdx> =
            (0..count as u32).filter(|&at| matches!(code.statements()[at as usize], Statement::Gosub(_))).collect();
        let mut flow = Self {
            reached: vec![[false; 2]; count + 1],
            can_end: vec![false; count + 1],
            goes_back: vec![false; count],
            runs_out: vec![false; count],
        };
        if count > 0 {
            flow.reach(code);
            flow.find_ends(code, &gosubs);
        }
        flow
    }

    /// Main begins at its start, entry at offset 0 if main does not.
    fn reach(&mut self, code: &Code) {
        let start = code.index_of(code.program().start).unwrap_or(0);
        let mut open = Vec::new();
        for at in [start, 0] {
            self.visit(State { at, has_return: false }, &mut open);
        }
        let end = code.statements().len() as u32;
        while let Some(state) = open.pop() {
            if state.at == end {
                continue;
            }
            let statement = code.statements()[state.at as usize];
            let steps = steps(state.at, statement, state.has_return);
            let has_return = state.has_return || matches!(statement, Statement::Gosub(_));
            for at in steps.within.into_iter().flatten().chain(steps.later) {
                self.visit(State { at, has_return }, &mut open);
            }
            // What a subroutine returns to is reached when it is called.
            if matches!(statement, Statement::Gosub(_)) {
                self.visit(State { at: state.at + 1, has_return }, &mut open);
            }
        }
    }

    fn visit(&mut self, state: State, open: &mut Vec<State>) {
        let seen = &mut self.reached[state.at as usize][usize::from(state.has_return)];
        if !*seen {
            *seen = true;
            open.push(state);
        }
    }

    /// Backwards from all statements that can end an invocation, along the ways within one.
    fn find_ends(&mut self, code: &Code, gosubs: &[StatementIdx]) {
        let end = code.statements().len();
        let mut sources: Vec<Vec<StatementIdx>> = vec![Vec::new(); end + 1];
        let mut returns = Vec::new();
        // The end of the program is a fault, which ends the invocation too.
        let mut open = vec![end as u32];
        for at in 0..end as u32 {
            if !self.is_reached(at) {
                continue;
            }
            let statement = code.statements()[at as usize];
            let steps = steps(at, statement, self.is_reached_in(State { at, has_return: true }));
            for target in steps.within.into_iter().flatten() {
                sources[target as usize].push(at);
                self.goes_back[at as usize] |= target <= at;
                self.runs_out[at as usize] |= target as usize == end;
            }
            self.runs_out[at as usize] |= steps.later == Some(end as u32);
            if steps.ends || (steps.returns && self.is_reached_in(State { at, has_return: false })) {
                open.push(at);
            }
            if steps.returns {
                returns.push(at);
                self.goes_back[at as usize] |= gosubs.first().is_some_and(|&gosub| gosub < at);
            }
        }
        open.iter().for_each(|&at| self.can_end[at as usize] = true);
        let mut returns_end = false;
        while let Some(at) = open.pop() {
            let previous = at.checked_sub(1).filter(|gosub| gosubs.binary_search(gosub).is_ok());
            if previous.is_some() && !returns_end {
                returns_end = true;
                sources[at as usize].extend(&returns);
            }
            for source in std::mem::take(&mut sources[at as usize]) {
                if !self.can_end[source as usize] {
                    self.can_end[source as usize] = true;
                    open.push(source);
                }
            }
        }
    }

    pub(super) fn is_reached(&self, at: StatementIdx) -> bool {
        self.reached[at as usize].contains(&true)
    }

    pub(super) fn is_reached_in(&self, state: State) -> bool {
        self.reached[state.at as usize][usize::from(state.has_return)]
    }

    /// Whether this statement jumps back in a loop that nothing ends.
    pub(super) fn closes_endless_loop(&self, at: StatementIdx) -> bool {
        self.is_reached(at) && !self.can_end[at as usize] && self.goes_back[at as usize]
    }

    /// Whether execution can go from this statement past the last one.
    pub(super) fn runs_out(&self, at: StatementIdx) -> bool {
        self.is_reached(at) && self.runs_out[at as usize]
    }
}

fn steps(at: StatementIdx, statement: Statement, has_return: bool) -> Steps {
    let goes_on = |within| Steps { within, later: None, ends: false, returns: false };
    let stops = |later| Steps { within: [None; 2], later: Some(later), ends: true, returns: false };
    match statement {
        Statement::Goto(target) | Statement::Gosub(target) => goes_on([Some(target), None]),
        Statement::If { end: other, .. } | Statement::ScriptRv { otherwise: other, .. } => {
            goes_on([Some(at + 1), Some(other)])
        }
        Statement::End(target) => stops(target),
        Statement::Endint => stops(0),
        Statement::Yield | Statement::Call { dispatch: FunctionKind::Task, .. } => stops(at + 1),
        Statement::Return if has_return => Steps { within: [None; 2], later: None, ends: false, returns: true },
        Statement::Return => stops(0),
        _ => goes_on([Some(at + 1), None]),
    }
}
