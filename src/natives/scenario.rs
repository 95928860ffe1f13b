//! What scripts call of scenarios, alike in every language: the words of `scenario`, `expect` and their like.
//!
//! Every refusal is a text; the language adds the place of the call.

use super::{Engine, Given, access::text_argument};
use crate::{
    defs::ModuleSource,
    expect::{Broken, Declaration, Involved, Matcher, Mismatch, Moment, Place, Sheet, Value, unknown_matcher},
    trace::Row,
    world::{ActorKey, EventKind},
};

impl Engine {
    /// A director dealt with an actor: a failed expectation shows those dealt with last.
    pub(super) fn touch(&self, key: ActorKey) {
        if let Some(sheet) = &self.sheet
            && self.running_script == 0
        {
            sheet.touch(key);
        }
    }

    /// The sheet, for a function that only scenario files have.
    fn sheet(&mut self, function: &str) -> Result<&mut Sheet, String> {
        if self.running_script != 0 {
            return Err(format!("{function}: the script of an actor declares no scenarios"));
        }
        self.sheet.as_deref_mut().ok_or_else(|| format!("{function}: scenarios are run by soup386 test"))
    }

    /// `scenario` or `only` while a scenario runs: whether the call declares the one that is to run.
    ///
    /// # Errors
    /// What to say.
    pub fn is_chosen(&mut self, function: &str) -> Result<bool, String> {
        self.sheet(function)?.is_chosen(function)
    }

    /// `scenario` or `only` while declarations are collected.
    ///
    /// # Errors
    /// What to say.
    pub fn declare(&mut self, declaration: Declaration, place: Place) -> Result<(), String> {
        self.sheet(declaration.function)?.declare(declaration, place)
    }

    /// `before_each`; `body` is what should be a function, by the name of its type.
    ///
    /// # Errors
    /// What to say.
    pub fn before_each(&mut self, body: &str) -> Result<(), String> {
        let sheet = self.sheet("before_each")?;
        if sheet.has_begun() {
            return Err("before_each: it stands at the top of the file, not in a scenario".to_owned());
        }
        match body {
            "a function" => Ok(()),
            found => Err(format!("before_each argument 1 (fn): expected a function, found {found}")),
        }
    }

    /// `scene`.
    ///
    /// # Errors
    /// What to say.
    pub fn name_scene(&mut self, name: Given<'_>, place: Place) -> Result<(), String> {
        let name = text_argument("scene", 1, "file", name).map_err(|error| error.to_string())?;
        self.sheet("scene")?.name_scene(name, place)
    }

    /// `golden`.
    ///
    /// # Errors
    /// What to say.
    pub fn golden(&mut self, name: Given<'_>, place: Place) -> Result<(), String> {
        let name = text_argument("golden", 1, "file", name).map_err(|error| error.to_string())?;
        let updates = self.world.clock.updates;
        self.sheet("golden")?.golden(name, place, updates)
    }

    /// `skip`: true when the script is to end, false at the top of a file, where it skips all scenarios.
    ///
    /// # Errors
    /// What to say.
    pub fn skip(&mut self, why: Given<'_>) -> Result<bool, String> {
        let why = text_argument("skip", 1, "why", why).map_err(|error| error.to_string())?;
        let sheet = self.sheet("skip")?;
        sheet.skipped.get_or_insert_with(|| why.to_owned());
        Ok(sheet.has_begun())
    }

    /// `expect(found).matcher(args…)`.
    ///
    /// # Errors
    /// What to say: the expectation does not hold, or was put wrongly.
    pub fn expect(&mut self, matcher: &str, found: &Value, args: &[Value], place: Place) -> Result<(), String> {
        let matcher = Matcher::named(matcher).ok_or_else(|| unknown_matcher(matcher))?;
        let mut actors = Vec::new();
        found.actors(&mut actors);
        args.iter().for_each(|value| value.actors(&mut actors));
        actors.into_iter().for_each(|key| self.touch(key));
        match matcher.check(found, args)? {
            Some(mismatch) => Err(self.broken(mismatch, place)),
            None => {
                self.held();
                Ok(())
            }
        }
    }

    /// `expect_error(fn, text)`: `raised` is the error that the function raised, without its place; the text is given
    /// back.
    ///
    /// # Errors
    /// What to say.
    pub fn expect_error(&mut self, raised: Option<String>, text: Given<'_>, place: Place) -> Result<String, String> {
        let wanted = match text {
            Given::Other("nil") => None,
            text => Some(text_argument("expect_error", 2, "text", text).map_err(|error| error.to_string())?),
        };
        let expected = match wanted {
            Some(text) => format!("an error that contains {text:?}"),
            None => "an error".to_owned(),
        };
        let found = match raised {
            Some(raised) if wanted.is_none_or(|wanted| raised.contains(wanted)) => {
                self.held();
                return Ok(raised);
            }
            Some(raised) => Value::Text(raised).shown(),
            None => "none".to_owned(),
        };
        Err(self.broken(Mismatch { function: "expect_error", expected, found }, place))
    }

    /// A script loads a module: whoever watches files wants to know.
    pub fn note_module(&mut self, modules: &ModuleSource, name: &str, extension: &str) {
        if let Some(sheet) = &mut self.sheet {
            let file = format!("{name}.{extension}");
            sheet.modules.insert(match modules {
                ModuleSource::Folder(folder) => folder.join(file),
                _ => file.into(),
            });
        }
    }

    fn held(&mut self) {
        if let Some(sheet) = &mut self.sheet {
            sheet.held();
        }
    }

    /// Enters what did not hold, with the actors that the script dealt with; the words for the script.
    fn broken(&mut self, mismatch: Mismatch, place: Place) -> String {
        let words = mismatch.to_string();
        let Some(sheet) = &self.sheet else { return words };
        if sheet.broken.is_some() {
            return words;
        }
        let actors = sheet.touched().into_iter().map(|key| Involved { key, now: self.moment(key) }).collect();
        if let Some(sheet) = &mut self.sheet {
            sheet.broken = Some(Broken { place, mismatch, actors });
        }
        words
    }

    /// How an actor stands, with the reasons of the calls on it that were refused in this update.
    #[must_use]
    pub fn moment(&self, key: ActorKey) -> Option<Moment> {
        let row = Row::new(&self.defs, self.world.get(key)?, self.world.clock.tick);
        let refused =
            self.world.events.iter().filter(|event| event.actor == key).filter_map(|event| match &event.kind {
                EventKind::Refused(refusal) => Some(refusal.to_string()),
                _ => None,
            });
        Some(Moment { row, refused: refused.collect() })
    }
}
