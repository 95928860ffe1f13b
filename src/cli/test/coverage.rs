//! What the run reached and what not, as text and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    defs::Opcode,
    natives::{NativeState, Natives},
    scenario::{Coverage, TRANSITIONS},
};

/// Width of the lists.
const WIDTH: usize = 110;

/// One list of what could be reached.
struct Part {
    title: &'static str,
    key: &'static str,
    reached: Vec<String>,
    missed: Vec<String>,
}

fn part(title: &'static str, key: &'static str, all: impl IntoIterator<Item = (String, bool)>) -> Part {
    let (reached, missed): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, is_reached)| *is_reached);
    let names = |list: Vec<(String, bool)>| list.into_iter().map(|(name, _)| name).collect();
    Part { title, key, reached: names(reached), missed: names(missed) }
}

fn parts(coverage: &Coverage) -> [Part; 4] {
    let registry = Natives::shared();
    let implemented = registry.rows().iter().filter(|native| registry.state(&native.decl) == NativeState::Implemented);
    let natives =
        implemented.map(|native| (native.decl.script_name.clone(), coverage.natives.contains(&native.decl.id)));
    let commands = Opcode::all().map(|opcode| (opcode.name().to_owned(), coverage.has_command(opcode)));
    let gates = Coverage::gates().iter().map(|gate| (snake_case(gate), coverage.has_gate(gate)));
    let ways = TRANSITIONS.iter().map(|way| (shown(*way), coverage.transitions.contains(way)));
    [
        part("natives", "natives", natives),
        part("animation commands", "animation_commands", commands),
        part("gates", "gates", gates),
        part("weapon transitions", "weapon_transitions", ways),
    ]
}

fn shown((from, to): (crate::scenario::WeaponState, crate::scenario::WeaponState)) -> String {
    format!("{} -> {}", from.name(), to.name())
}

/// Natives that ran without being implemented here.
fn delegated(coverage: &Coverage) -> Vec<String> {
    let registry = Natives::shared();
    let rows = coverage.natives.iter().filter_map(|id| registry.get(*id));
    let others = rows.filter(|native| registry.state(&native.decl) != NativeState::Implemented);
    others.map(|native| native.decl.script_name.clone()).collect()
}

/// Transitions that scripts forced.
fn others(coverage: &Coverage) -> Vec<String> {
    coverage.transitions.iter().filter(|way| !TRANSITIONS.contains(way)).map(|way| shown(*way)).collect()
}

/// `gate_name` for `GateName`, as traces write it.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

pub(super) fn write(coverage: &Coverage, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "coverage")?;
    for Part { title, reached, missed, .. } in parts(coverage) {
        writeln!(out, "  {title}: {} of {}", reached.len(), reached.len() + missed.len())?;
        list(out, "reached", &reached)?;
        list(out, "not reached", &missed)?;
    }
    list(out, "natives left to the host", &delegated(coverage))?;
    list(out, "other weapon transitions", &others(coverage))?;
    writeln!(out)
}

/// A list over as many lines as it needs.
fn list(out: &mut dyn Write, title: &str, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut line = format!("    {title}:");
    for (at, name) in names.iter().enumerate() {
        let comma = if at + 1 < names.len() { "," } else { "" };
        if line.len() + name.len() + 2 > WIDTH {
            writeln!(out, "{line}")?;
            line = "      ".to_owned();
        }
        line.push_str(&format!(" {name}{comma}"));
    }
    writeln!(out, "{line}")
}

pub(super) fn json(coverage: &Coverage) -> Value {
    let mut value = json!({});
    for Part { key, reached, missed, .. } in parts(coverage) {
        value[key] = json!({"reached": reached, "not_reached": missed});
    }
    value["natives_left_to_the_host"] = delegated(coverage).into();
    value["other_weapon_transitions"] = others(coverage).into();
    let registry = Natives::shared();
    let name = |id| registry.get(id).map_or("?", |native| native.decl.script_name.as_str());
    let refusals = coverage.refusals.iter().map(|(id, gate)| json!({"function": name(*id), "gate": snake_case(gate)}));
    value["refusals"] = refusals.collect();
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Gate;

    #[test]
    fn gates_are_named_as_in_traces() {
        let gate = Gate::DrawingSword { extra_flag: 20, current: 91 };
        let written = serde_json::to_value(&gate).expect("JSON");
        assert_eq!(written["gate"], snake_case(gate.name()));
    }

    #[test]
    fn nothing_reached_is_everything_missed() {
        let parts = parts(&Coverage::default());
        assert!(parts.iter().all(|part| part.reached.is_empty()));
        assert_eq!(parts[1].missed.len(), 16);
        assert_eq!(parts[2].missed.len(), Gate::NAMES.len());
    }
}
