//! What each statement does: one arm per opcode.

use super::{Called, Observer, invocation::Invocation};
use crate::{
    defs::{ActorDefIdx, FunctionKind},
    natives::{CallRequest, Dispatch, program_site},
    soup::code::{CallIdx, Conjunction, Follower, Place, Statement, StatementIdx, TaskAction, Update},
    world::{Actor, ActorKey, CallSite, ChannelKind, Fault, OperandSource},
};

/// What comes after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The statement behind it.
    Following,
    /// Another statement.
    Jump(StatementIdx),
    /// Nothing in this invocation; the cursor is left there.
    End(StatementIdx),
}

impl Invocation<'_> {
    /// Executes one statement (rules Y33 to Y40).
    pub(super) fn execute<O: Observer + ?Sized>(
        &mut self,
        statement: Statement,
        observer: &mut O,
    ) -> Result<Next, Fault> {
        match statement {
            Statement::SetLocal { local, formula } => {
                let value = self.formula(formula, observer)?;
                self.set_local(local, value);
                Ok(Next::Following)
            }
            Statement::If { conditions, end } => {
                let holds = self.holds(conditions, observer);
                Ok(if holds { Next::Following } else { Next::Jump(end) })
            }
            Statement::Goto(target) => Ok(Next::Jump(target)),
            Statement::Call { dispatch, call } => Ok(self.own_call(dispatch, call, observer)),
            Statement::Routed { dispatch, call } => {
                self.routed(dispatch, call, observer);
                Ok(Next::Following)
            }
            Statement::SetProperty { place, formula } => {
                let value = self.formula(formula, observer)?;
                self.write(place, value);
                Ok(Next::Following)
            }
            Statement::StepProperty { place, update } => {
                let value = stepped(self.read(place), update);
                self.write(place, value);
                Ok(Next::Following)
            }
            Statement::SetFlag { flag, formula } => {
                let value = self.formula(formula, observer)?;
                self.set_flag(flag, value);
                Ok(Next::Following)
            }
            Statement::End(target) => {
                self.leave_channels();
                Ok(Next::End(target))
            }
            Statement::Gosub(target) => {
                let back = self.program.code.offset(self.at() + 1);
                if let Some(state) = self.state() {
                    state.ret = Some(back);
                }
                Ok(Next::Jump(target))
            }
            Statement::Return => Ok(self.return_back()),
            Statement::Endint => Ok(Next::End(0)),
            Statement::Yield => Ok(Next::End(self.at() + 1)),
            Statement::Anchor(value) => {
                if let Some(actor) = self.engine.world.get_mut(self.actor) {
                    actor.cold.anchor = value;
                }
                Ok(Next::Following)
            }
            Statement::Task { action, label } => {
                self.act_on_task(action, label);
                Ok(Next::Following)
            }
            Statement::ScriptRv { expected, follower, otherwise } => {
                Ok(self.branch_on_returned(expected, follower, otherwise))
            }
        }
    }

    /// Rule Y63: a task ends the invocation even when it is called again or no slot was free.
    fn own_call<O: Observer + ?Sized>(&mut self, dispatch: FunctionKind, call: CallIdx, observer: &mut O) -> Next {
        self.call(self.actor, dispatch, call, observer);
        if dispatch == FunctionKind::Task { Next::End(self.at() + 1) } else { Next::Following }
    }

    /// A call on the object that it names; nothing on one that is not there (rule Y59).
    pub(super) fn routed<O: Observer + ?Sized>(
        &mut self,
        dispatch: FunctionKind,
        call: CallIdx,
        observer: &mut O,
    ) -> i32 {
        let receiver = self.program.code.call(call).receiver;
        let found = receiver.and_then(|object| self.object(object));
        found.map_or(0, |receiver| self.call(receiver, dispatch, call, observer))
    }

    /// Makes a call: its value. A task that owns a slot already is not called again (rules Y61, Y62).
    pub(super) fn call<O: Observer + ?Sized>(
        &mut self,
        receiver: ActorKey,
        dispatch: FunctionKind,
        call: CallIdx,
        observer: &mut O,
    ) -> i32 {
        let program = self.program;
        let fixed = program.fixed_arguments(call).filter(|_| dispatch == FunctionKind::Function);
        let call = program.code.call(call);
        // Natives of the runtime look at no locals, so these may stay where they are.
        if let (Some(args), Some(native), false) = (fixed, call.native, observer.is_active())
            && let Some(value) = self.engine.call_built_in(receiver, native, args)
        {
            return value;
        }
        let Some(native) = call.native else {
            self.engine.notice_unknown_function(self.record, call.function);
            return 0;
        };
        let site = program_site(program, call);
        let dispatch = match dispatch {
            FunctionKind::Function => Dispatch::Function,
            FunctionKind::Task => Dispatch::Task,
            FunctionKind::Multitask => Dispatch::Multitask,
        };
        if dispatch != Dispatch::Function {
            let runs = |actor: &Actor| actor.tasks.at_site(site).is_some();
            if self.engine.world.get(receiver).is_some_and(runs) {
                return 0;
            }
        }
        self.swap_locals();
        let texts = self.engine.world.string_source.unwrap_or_else(|| self.record_of(receiver));
        let args = self.engine.program_arguments(program, call, receiver, texts);
        let source = OperandSource { record: self.record, offset: call.operands };
        let shown = observer.is_active().then(|| args.clone());
        let request = CallRequest { receiver, native, args, dispatch, site };
        let value = self.engine.call_of(request, Some(source)).map_or(0, |called| called.value);
        if let Some(args) = &shown {
            observer.called(self.engine, Called { caller: self.actor, receiver, native, args, value });
        }
        self.swap_locals();
        value
    }

    fn record_of(&self, actor: ActorKey) -> ActorDefIdx {
        self.engine.world.get(actor).map_or(self.record, |actor| actor.def)
    }

    /// All comparisons are evaluated, left to right (rule Y33).
    fn holds<O: Observer + ?Sized>(&mut self, first: u32, observer: &mut O) -> bool {
        let program = self.program;
        let mut running = false;
        let mut join = Conjunction::End;
        for condition in program.code.conditions(first) {
            let left = self.operand(condition.left, condition.left_update, observer);
            let right = self.operand(condition.right, condition.right_update, observer);
            let holds = condition.comparison.holds(left, right);
            running = match join {
                Conjunction::End => holds,
                Conjunction::And => running & holds,
                Conjunction::Or => running | holds,
            };
            join = condition.conjunction;
            if join == Conjunction::End {
                break;
            }
        }
        running
    }

    /// Rule Y35: what was posted to channels is taken back.
    fn leave_channels(&mut self) {
        if let Some(actor) = self.engine.world.get_mut(self.actor) {
            actor.leave_channel(ChannelKind::Group);
            actor.leave_channel(ChannelKind::User);
        }
    }

    /// Rule Y38.
    fn return_back(&mut self) -> Next {
        let program = self.program;
        let Some(actor) = self.engine.world.get_mut(self.actor) else { return Next::End(0) };
        let Some(state) = &mut actor.script else { return Next::End(0) };
        match state.ret.and_then(|offset| program.code.index_of(offset)) {
            Some(back) => {
                actor.cold.script_rv = actor.cold.script_ret_rv;
                Next::Jump(back)
            }
            None => {
                state.main = 0;
                Next::End(0)
            }
        }
    }

    /// Rule Y40.
    fn branch_on_returned(&mut self, expected: u8, follower: Follower, otherwise: StatementIdx) -> Next {
        let Some(actor) = self.engine.world.get_mut(self.actor) else { return Next::End(0) };
        if actor.cold.script_rv != expected {
            return Next::Jump(otherwise);
        }
        if follower == Follower::Gosub {
            actor.cold.script_ret_rv = actor.cold.script_rv;
        }
        Next::Following
    }

    /// Rule Y66.
    fn act_on_task(&mut self, action: TaskAction, label: u32) {
        let address = self.program.address(label.wrapping_add(1));
        let site = CallSite::Program { address };
        let Some(actor) = self.engine.world.get_mut(self.actor) else { return };
        let Some(serial) = actor.tasks.at_site(site).map(|task| task.serial) else { return };
        match action {
            TaskAction::Stop => drop(actor.tasks.stop(serial)),
            TaskAction::Pause => actor.tasks.set_paused(serial, true),
            TaskAction::Resume => actor.tasks.set_paused(serial, false),
        }
    }

    /// Reads a property; 0 of an object that is not there.
    pub(super) fn read(&mut self, place: Place) -> i32 {
        let Some(key) = self.object(place.object) else { return 0 };
        let descriptor = self.program.code.descriptor(place.property);
        let actor = self.engine.world.get(key);
        actor.zip(descriptor).map_or(0, |(actor, id)| actor.property(id))
    }

    /// Writes a property, narrowed to its width.
    pub(super) fn write(&mut self, place: Place, value: i32) {
        let Some(key) = self.object(place.object) else { return };
        let descriptor = self.program.code.descriptor(place.property);
        if let Some((actor, id)) = self.engine.world.get_mut(key).zip(descriptor) {
            actor.set_property(id, value);
        }
    }
}

/// A value after the update of a comparison or of a statement (rules Y51, Y52).
pub(super) fn stepped(value: i32, update: Update) -> i32 {
    match update {
        Update::Read => value,
        Update::Increment => value.wrapping_add(1),
        Update::Decrement => value.wrapping_sub(1),
    }
}
