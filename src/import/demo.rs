//! The built-in demo: two fencers facing each other, made from nothing but arithmetic.
//!
//! It is handed out as scene text, so that it goes through the same reader as anybody's scene and can be
//! written to a file to start from.

mod fencer;
mod geometry;
mod poses;

use geometry::{Mesh, Point, Ring};
use std::fmt::Write;
use std::ops::Range;

const SABRE_LENGTH: f64 = 24.0;
const RAPIER_LENGTH: f64 = 30.0;

// Effect numbers a host may map to anything; the runtime only reports them.
const BLADE_OUT_SOUND: i32 = 40;
const BLADE_HOME_SOUND: i32 = 41;
const SWING_SOUND: i32 = 42;
const STEP_SOUND: i32 = 43;
/// Bit 4 of an actor event asks for a shake.
const SHAKE: i32 = 16;

/// The demo scene as the text of a scene file; the same bytes on every machine.
pub(crate) fn scene_toml() -> String {
    let mut text = String::from("soup386 = 1\nseed = 1\n");
    items(&mut text);
    let (frames, faces) = fencer::fencer();
    model(&mut text, "FENCER", &frames, &faces);
    text.push_str("\n[[model]]\nname = \"FENCER2\"\nparent = \"FENCER\"\n");
    for (name, mesh) in weapons() {
        model(&mut text, name, &[mesh.vertices], &mesh.faces);
    }
    let player = "name = \"CYRUS\"\nplayer = true\nposition = [0, 0, 0]\nangles = [0, 0, 0]\n";
    actor(&mut text, player, "FENCER", 1, frames.len());
    // 110 map units: some three metres for a body 64 units tall.
    let guard = "name = \"GUARD\"\nposition = [0, 0, 28160]\nangles = [0, 1024, 0]\n";
    actor(&mut text, guard, "FENCER2", 2, frames.len());
    text
}

fn items(text: &mut String) {
    text.push_str(&weapon_item(1, "sabre", SABRE_LENGTH));
    text.push_str(&weapon_item(2, "rapier", RAPIER_LENGTH));
    text.push_str("\n[[item]]\nid = 3\nname = \"lantern\"\ntype = \"general\"\n");
    text.push_str("\n[[item]]\nid = 4\nname = \"torch\"\ntype = \"torch\"\n");
}

fn weapon_item(id: u8, name: &str, length: f64) -> String {
    let model = name.to_uppercase();
    format!(
        "\n[[item]]\nid = {id}\nname = \"{name}\"\ntype = \"weapon\"\nhand_model = \"{model}\"\n\
         hilt_model = \"{model}H\"\nlength = {length}\nplayer_total = 1\n"
    )
}

fn weapons() -> [(&'static str, Mesh); 4] {
    [
        ("SABRE", drawn(&sabre_guard(), &sabre_blade())),
        ("SABREH", sheathed(&sabre_guard(), SABRE_LENGTH)),
        ("RAPIER", drawn(&rapier_guard(), &rapier_blade())),
        ("RAPIERH", sheathed(&rapier_guard(), RAPIER_LENGTH)),
    ]
}

/// A cross-section of a weapon at `along` units from the middle of the handle towards the point, which
/// lies on the model's own -Y; -Z is the edge.
fn across(along: f64, towards_back: f64, half_width: f64, half_depth: f64) -> Ring {
    Ring { centre: [0.0, -along, towards_back], side: [half_width, 0.0, 0.0], up: [0.0, 0.0, half_depth] }
}

fn handle() -> [Ring; 2] {
    [across(-2.6, 0.0, 0.6, 0.7), across(2.4, 0.0, 0.5, 0.6)]
}

fn sabre_guard() -> [Ring; 2] {
    [across(2.4, -0.6, 0.9, 2.4), across(3.0, -0.3, 0.7, 1.9)]
}

fn rapier_guard() -> [Ring; 2] {
    [across(2.0, 0.0, 2.2, 2.2), across(3.2, 0.0, 0.7, 0.7)]
}

fn sabre_blade() -> [Ring; 4] {
    [
        across(3.0, 0.0, 0.25, 0.9),
        across(10.0, -0.9, 0.25, 0.9),
        across(17.0, -0.9, 0.2, 0.8),
        across(SABRE_LENGTH, 0.4, 0.05, 0.1),
    ]
}

fn rapier_blade() -> [Ring; 2] {
    [across(3.2, 0.0, 0.3, 0.45), across(RAPIER_LENGTH, 0.0, 0.05, 0.05)]
}

fn drawn(guard: &[Ring], blade: &[Ring]) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.tube(&handle());
    mesh.tube(guard);
    mesh.tube(blade);
    mesh
}

fn sheathed(guard: &[Ring], length: f64) -> Mesh {
    let mut mesh = drawn(
        guard,
        &[across(3.0, 0.0, 0.7, 1.2), across(length * 0.55, -0.8, 0.7, 1.2), across(length + 0.8, 0.2, 0.4, 0.6)],
    );
    // The mouthpiece and the ring the belt holds.
    mesh.tube(&[across(3.2, -0.1, 0.9, 1.4), across(5.0, -0.2, 0.9, 1.4)]);
    mesh
}

fn model(text: &mut String, name: &str, frames: &[Vec<Point>], faces: &[[usize; 3]]) {
    text.push_str("\n[[model]]\nname = \"");
    text.push_str(name);
    text.push_str("\"\nframes = [\n");
    for frame in frames {
        let points: Vec<String> = frame.iter().map(point).collect();
        text.push_str("  [");
        text.push_str(&points.join(", "));
        text.push_str("],\n");
    }
    let faces: Vec<String> = faces.iter().map(|face| format!("{face:?}")).collect();
    text.push_str("]\nfaces = [");
    text.push_str(&faces.join(", "));
    text.push_str("]\n");
}

fn point(point: &Point) -> String {
    format!("[{}, {}, {}]", decimal(point[0]), decimal(point[1]), decimal(point[2]))
}

/// Two decimals, the second left out where it is zero; there is no negative zero.
fn decimal(value: f64) -> String {
    let hundredths = (value * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, part) = (hundredths.abs() / 100, hundredths.abs() % 100);
    if part % 10 == 0 { format!("{sign}{whole}.{}", part / 10) } else { format!("{sign}{whole}.{part:02}") }
}

fn actor(text: &mut String, place: &str, model: &str, weapon: u8, frames: usize) {
    let [grip, scabbard] = [fencer::GRIP, fencer::SCABBARD];
    let (draw, sheathe) = (poses::DRAW_CONTACT, poses::SHEATHE_CONTACT);
    let record = format!(
        "\n[[actor]]\n{place}frames = [{{ model = \"{model}\", count = {frames} }}]\n\
         grip = {grip:?}\nscabbard = {scabbard:?}\n\
         attributes = {{ attr_combat = 1, attr_weapon = {weapon}, \
         attr_draw_frame = {draw}, attr_sheath_frame = {sheathe} }}\n"
    );
    text.push_str(&record);
    for group in groups() {
        group.write(text);
    }
}

/// Type 1 groups with an exit (`GoToFuture`) leave there for whatever is pending, and else run to their end.
struct Group {
    index: u8,
    kind: u8,
    speed: u8,
    commands: Vec<String>,
}

impl Group {
    fn new(index: u8, kind: u8, speed: u8) -> Self {
        Group { index, kind, speed, commands: Vec::new() }
    }

    fn then(mut self, command: impl Into<String>) -> Self {
        self.commands.push(command.into());
        self
    }

    fn show(mut self, frames: Range<usize>) -> Self {
        self.commands.extend(frames.map(|frame| format!("ShowFrame {frame}")));
        self
    }

    fn sound(self, effect: i32) -> Self {
        self.then(format!("PlaySound {effect} 0"))
    }

    fn write(&self, text: &mut String) {
        let Group { index, kind, speed, commands } = self;
        let quoted: Vec<String> = commands.iter().map(|command| format!("\"{command}\"")).collect();
        let commands = quoted.join(", ");
        // Writing to a string cannot fail.
        let _ =
            write!(text, "[[actor.group]]\nindex = {index}\nspeed = {speed}\ntype = {kind}\ncommands = [{commands}]\n");
    }
}

fn groups() -> [Group; 8] {
    [idle(), walk(), ready(), draw(), swing(), hit(), death(), sheathe()]
}

/// The default group needs no exit: any other request interrupts it at once.
fn idle() -> Group {
    Group::new(0, 0, 6).show(poses::IDLE).then("GoToPrevious 0")
}

/// Two exits, each just before the feet pass each other.
fn walk() -> Group {
    let Range { start, end } = poses::WALK;
    let middle = start + 4;
    Group::new(1, 1, 3)
        .show(start..start + 2)
        .sound(STEP_SOUND)
        .show(start + 2..middle)
        .then("GoToFuture 13")
        .show(middle..middle + 2)
        .sound(STEP_SOUND)
        .show(middle + 2..end)
        .then("GoToFuture 13")
        .then("GoToPrevious 0")
        .then("EndAnimation")
}

/// With an exit, because a script may play it while it is not the default.
fn ready() -> Group {
    Group::new(8, 1, 5).show(poses::READY_IDLE).then("GoToFuture 6").then("GoToPrevious 0").then("EndAnimation")
}

/// The scrape comes with the first frame in which the blade moves, one after the threshold. A
/// `BreakPoint` holds the feet only for the frame it precedes.
fn draw() -> Group {
    let Range { start, end } = poses::DRAW;
    let leaves = start + poses::DRAW_CONTACT + 1;
    Group::new(91, 1, 2)
        .show(start..leaves)
        .sound(BLADE_OUT_SOUND)
        .then("BreakPoint")
        .show(leaves..end)
        .then("EndAnimation")
}

fn sheathe() -> Group {
    let Range { start, end } = poses::SHEATHE;
    let home = start + poses::SHEATHE_CONTACT;
    Group::new(129, 1, 2)
        .show(start..home)
        .sound(BLADE_HOME_SOUND)
        .then("BreakPoint")
        .show(home..end)
        .then("EndAnimation")
}

fn swing() -> Group {
    let Range { start, end } = poses::SWING;
    Group::new(92, 1, 2)
        .show(start..start + 2)
        .sound(SWING_SOUND)
        .then("BreakPoint")
        .show(start + 2..end)
        .then("EndAnimation")
}

fn hit() -> Group {
    Group::new(117, 1, 2).then(format!("Rumble {SHAKE}")).show(poses::HIT).then("EndAnimation")
}

/// Never ends by itself: the last frame is shown again and again.
fn death() -> Group {
    let last = poses::DEATH.len() - 1;
    Group::new(123, 1, 3).show(poses::DEATH).then(format!("GoToPrevious {last}")).then("EndAnimation")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_has_the_same_vertices_and_faces_stay_inside() {
        let (frames, faces) = fencer::fencer();
        assert_eq!(frames.len(), poses::DEATH.end);
        assert!(frames.iter().all(|frame| frame.len() == fencer::SCABBARD[1] + 1));
        assert!(faces.iter().flatten().all(|vertex| *vertex < fencer::GRIP[0]));
    }

    #[test]
    fn every_shown_frame_exists_and_every_frame_is_shown() {
        let mut shown: Vec<usize> = groups()
            .iter()
            .flat_map(|group| &group.commands)
            .filter_map(|command| command.strip_prefix("ShowFrame "))
            .map(|frame| frame.parse().unwrap())
            .collect();
        shown.sort_unstable();
        assert!(shown.into_iter().eq(0..poses::DEATH.end));
    }

    #[test]
    fn jumps_land_on_what_they_are_meant_for() {
        for group in groups() {
            for command in &group.commands {
                let Some((name, target)) = command.split_once(' ') else {
                    continue;
                };
                let target = || group.commands[target.parse::<usize>().unwrap()].as_str();
                match name {
                    "GoToFuture" => assert_eq!(target(), "EndAnimation"),
                    "GoToPrevious" => assert!(target().starts_with("ShowFrame")),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn held_and_sheathed_weapon_meet_where_they_change_places() {
        let (frames, _) = fencer::fencer();
        let contacts = [poses::DRAW.start + poses::DRAW_CONTACT, poses::SHEATHE.start + poses::SHEATHE_CONTACT];
        for frame in contacts.map(|frame| &frames[frame]) {
            let [grip, pommel] = fencer::GRIP.map(|vertex| frame[vertex]);
            let [hilt, behind] = fencer::SCABBARD.map(|vertex| frame[vertex]);
            let middle = geometry::mix(grip, pommel, 0.5);
            assert!(geometry::length(geometry::subtract(middle, hilt)) < 0.01);
            let turn = geometry::cross(geometry::subtract(grip, pommel), geometry::subtract(hilt, behind));
            assert!(geometry::length(turn) < 0.01);
        }
    }

    #[test]
    fn text_is_the_same_every_time_and_of_moderate_size() {
        let text = scene_toml();
        assert_eq!(text, scene_toml());
        assert!(text.len() < 400_000, "{}", text.len());
        assert!(!text.contains("-0.0,") && !text.contains("NaN"));
    }
}
