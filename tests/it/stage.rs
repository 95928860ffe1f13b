//! One animated actor under full control: what the animation tests share.

use soup386::{
    anim,
    update::Runtime,
    world::{Actor, ActorKey, Event, EventKind, Playback},
};

use crate::support;

/// Number, speed, type and commands (separated by ", ") of a group.
pub(crate) type Group<'g> = (u32, u8, u8, &'g str);

/// Frame 0 for ever: the default group of most stages.
pub(crate) const IDLE: Group<'static> = (0, 1, 1, "ShowFrame 0, GoToPrevious 0");
/// Frames 0, 1 and 2 in a circle.
pub(crate) const CIRCLE: Group<'static> = (0, 1, 1, "ShowFrame 0, ShowFrame 1, ShowFrame 2, GoToPrevious 0");

/// The text of an actor `name` with 40 frames of model `body`, further keys and groups.
pub(crate) fn actor_text(name: &str, keys: &str, groups: &[Group]) -> String {
    let mut text = format!("[[actor]]\nname = \"{name}\"\nframes = [{{ model = \"body\", count = 40 }}]\n{keys}\n");
    for (index, speed, group_type, commands) in groups {
        let commands: Vec<_> = commands.split(", ").map(|command| format!("{command:?}")).collect();
        let commands = commands.join(", ");
        text += &format!(
            "[[actor.group]]\nindex = {index}\nspeed = {speed}\ntype = {group_type}\ncommands = [{commands}]\n"
        );
    }
    text
}

/// A scene text: the model `body`, then `rest`.
pub(crate) fn scene_text(rest: &str) -> String {
    format!("soup386 = 1\n[[model]]\nname = \"body\"\nframes = [[[0.0, 0.0, 0.0]]]\n{rest}")
}

/// An actor at load, driven one advance or request at a time.
pub(crate) struct Stage {
    pub(crate) runtime: Runtime,
    key: ActorKey,
}

impl Stage {
    /// An actor with these groups, at load; nothing that happened there is remembered.
    pub(crate) fn new(groups: &[Group]) -> Self {
        let mut runtime = support::runtime(&scene_text(&actor_text("a", "", groups)));
        let key = runtime.world().named("a").expect("the actor");
        runtime.engine_mut().world.events.clear();
        Self { runtime, key }
    }

    /// The same with `group` current: at its first frame, its countdown not yet reduced.
    pub(crate) fn playing(group: i32, groups: &[Group]) -> Self {
        let mut stage = Self::new(groups);
        stage.force(group, 0, 0);
        stage.events();
        stage
    }

    /// The same with the cursor on a command and the countdown far from its end.
    pub(crate) fn at_command(group: i32, cursor: i16, groups: &[Group]) -> Self {
        let mut stage = Self::playing(group, groups);
        stage.set(|anim| {
            anim.cursor = cursor;
            anim.speed_count = 9;
        });
        stage
    }

    pub(crate) fn actor(&self) -> &Actor {
        support::actor(&self.runtime, "a")
    }

    pub(crate) fn actor_mut(&mut self) -> &mut Actor {
        self.runtime.engine_mut().world.get_mut(self.key).expect("the actor")
    }

    pub(crate) fn anim(&self) -> Playback {
        self.actor().playback
    }

    pub(crate) fn set(&mut self, change: impl FnOnce(&mut Playback)) {
        change(&mut self.actor_mut().playback);
    }

    /// Current group, cursor, model frame shown.
    pub(crate) fn at(&self) -> (i16, i16, i16) {
        (self.anim().current, self.anim().cursor, self.actor().pose.frame)
    }

    pub(crate) fn advance(&mut self, ticks: i32) {
        self.step(|def, actor, events| anim::advance(def, actor, ticks, events));
    }

    pub(crate) fn request(&mut self, group: i32, modifier: i32, ticks: i32) {
        self.step(|def, actor, events| anim::request(def, actor, group, modifier, ticks, events));
    }

    pub(crate) fn force(&mut self, group: i32, modifier: i32, ticks: i32) {
        self.step(|def, actor, events| anim::force(def, actor, group, modifier, ticks, events));
    }

    pub(crate) fn change_default(&mut self, group: i16, ticks: i32) {
        self.step(|def, actor, events| anim::change_default(def, actor, group, ticks, events));
    }

    fn step(&mut self, step: impl FnOnce(&soup386::defs::ActorDef, &mut Actor, &mut Vec<Event>)) {
        let engine = self.runtime.engine_mut();
        let (actor, events) = engine.world.actor_and_events(self.key).expect("the actor");
        step(engine.defs.actor(actor.def), actor, events);
    }

    /// What happened since the last call, but for changes of the current group.
    pub(crate) fn events(&mut self) -> Vec<EventKind> {
        let events = std::mem::take(&mut self.runtime.engine_mut().world.events);
        let is_change = |kind: &EventKind| matches!(kind, EventKind::GroupChanged { .. });
        events.into_iter().map(|event| event.kind).filter(|kind| !is_change(kind)).collect()
    }

    /// How often Rumble was interpreted since the last call.
    pub(crate) fn n_rumbles(&mut self) -> usize {
        self.events().iter().filter(|kind| matches!(kind, EventKind::ActorEvent { .. })).count()
    }
}
