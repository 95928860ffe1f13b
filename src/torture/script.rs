//! A finding as a script that shows it.

use std::fmt::Write;

use super::{Act, Finding, Stage};
use crate::defs::Language;

/// A director that leads to the finding and prints the state that it ends in, for the scene that was tortured.
///
/// Ticks are no matter of scripts: where they are disturbed, the first line names the option that does it.
#[must_use]
pub fn minimal_script(finding: &Finding, language: Language) -> String {
    let mut text = Text { language, lines: String::new() };
    text.comment(&format!("{} during a {}: {}", finding.disturbance.interruption, what(finding), finding.fault));
    if let Some(quirk) = finding.quirk {
        text.comment(&format!("Known: {} (rules {})", quirk.reason, quirk.rules));
    }
    text.body(finding);
    text.lines
}

fn what(finding: &Finding) -> &'static str {
    match finding.disturbance.stage {
        Stage::Draw => "draw",
        Stage::Sheath => "sheath",
    }
}

struct Text {
    language: Language,
    lines: String,
}

impl Text {
    fn is_lua(&self) -> bool {
        self.language == Language::Lua
    }

    fn comment(&mut self, words: &str) {
        let mark = if self.is_lua() { "--" } else { "//" };
        let _ = writeln!(self.lines, "{mark} {words}");
    }

    fn line(&mut self, statement: &str) {
        let end = if self.is_lua() { "" } else { ";" };
        let _ = writeln!(self.lines, "{statement}{end}");
    }

    fn call(&mut self, function: &str, args: &[i32]) {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        let colon = if self.is_lua() { ":" } else { "." };
        self.line(&format!("a{colon}{function}({})", args.join(", ")));
    }

    fn act(&mut self, act: &Act, name: &str) {
        match act {
            Act::Call(function, args) => self.call(function, args),
            Act::Set(property, value) => self.line(&format!("a.{property} = {value}")),
            Act::Recreate => {
                self.call("remove", &[]);
                self.line(&format!("a = spawn({name}, {name})"));
            }
        }
    }

    fn body(&mut self, finding: &Finding) {
        let disturbance = &finding.disturbance;
        let name = format!("{:?}", finding.actor);
        let declare = if self.is_lua() { "local" } else { "let" };
        self.line(&format!("{declare} a = actor({name})"));
        self.line("updates(1)");
        self.call("drawsword", &[]);
        if disturbance.stage == Stage::Sheath {
            let done = if self.is_lua() {
                "wait_until(function() a:sheathsword() return a:why() == \"\" end, 2000)"
            } else {
                "wait_until(|| { a.sheathsword(); a.why() == \"\" }, 2000)"
            };
            self.line(done);
        }
        if disturbance.after > 0 {
            self.line(&format!("updates({})", disturbance.after));
        }
        if let Some(ticks) = disturbance.interruption.ticks {
            self.comment(&format!("Here come {} updates of {ticks} nominal ticks each.", disturbance.hold));
        }
        disturbance.interruption.begin.iter().for_each(|act| self.act(act, &name));
        if disturbance.hold > 0 {
            self.line(&format!("updates({})", disturbance.hold));
        }
        disturbance.interruption.end.iter().for_each(|act| self.act(act, &name));
        self.line(&format!("updates({})", finding.settle));
        self.line("print(a.extra_flag, a.weapon_drawn, a.shown)");
    }
}
