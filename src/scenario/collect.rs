//! What a scenario file declares.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

use super::{Failure, FailureKind, Runner};
use crate::{
    defs::{ModuleSource, Scene, ScriptSource},
    error::Error,
    expect::{Declared, Place, Sheet},
    import::read_text,
    script::ScriptError,
};

/// A scenario file with what it declares.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The file.
    pub source: ScriptSource,
    /// The scene in which its scenarios run, without its director.
    pub scene: Scene,
    /// The scene file, if the script names one that is a file.
    pub scene_file: Option<PathBuf>,
    /// Its scenarios in the order of their declaration.
    pub scenarios: Vec<Declared>,
    /// Why all of them are skipped.
    pub skipped: Option<String>,
    /// The modules that its top level loads.
    pub modules: BTreeSet<PathBuf>,
}

/// What one evaluation of a file's top level left.
struct Evaluated {
    sheet: Sheet,
    failure: Option<Failure>,
}

impl Runner {
    /// Evaluates the top level of a scenario file to learn what it declares.
    ///
    /// # Errors
    /// [`Failure`] when the script or its scene cannot be used.
    pub fn collect(&mut self, source: &ScriptSource) -> Result<Suite, Failure> {
        let mut scene = self.demo();
        let mut scene_file = None;
        // The top level may use actors of the scene that it names, so it is evaluated again in that scene.
        let mut evaluated = self.evaluate(source, &scene)?;
        if let Some((name, place)) = evaluated.sheet.scene.take() {
            (scene, scene_file) = read_scene(&source.modules, &name)
                .map_err(|reason| with_source(at(source, &place, format!("scene: {reason}")), source))?;
            evaluated = self.evaluate(source, &scene)?;
        }
        if let Some(failure) = evaluated.failure {
            return Err(with_source(failure, source));
        }
        let sheet = evaluated.sheet;
        let (source, skipped, modules) = (source.clone(), sheet.skipped, sheet.modules);
        Ok(Suite { source, scene, scene_file, scenarios: sheet.declared, skipped, modules })
    }

    fn evaluate(&mut self, source: &ScriptSource, scene: &Scene) -> Result<Evaluated, Failure> {
        let runtime = self.start(source, scene, Sheet::collecting());
        let runtime = runtime.map_err(|failure| with_source(failure, source))?;
        let updated = runtime.update();
        let errors = runtime.drain_failures();
        let waits = runtime.is_running();
        runtime.drain_output();
        let sheet = runtime.engine_mut().sheet.take().map_or_else(Sheet::collecting, |sheet| *sheet);
        let failure = match (updated, errors.into_iter().find(|error: &ScriptError| error.actor.is_none())) {
            (Err(error), _) => Some(self.panicked(source, &error)),
            (Ok(()), Some(error)) => Some(Failure::of_script(error)),
            (Ok(()), None) if waits => {
                let reason = match sheet.declared.is_empty() {
                    true => "the script declares no scenarios",
                    false => "the top of a scenario file only declares: it must not wait, nor define on_update",
                };
                Some(Failure::new(FailureKind::File, &source.name, None, reason))
            }
            (Ok(()), None) => None,
        };
        Ok(Evaluated { sheet, failure })
    }

    /// A panic outside of scripts: the runtime is given up.
    pub(super) fn panicked(&mut self, source: &ScriptSource, error: &Error) -> Failure {
        self.runtime = None;
        Failure::new(FailureKind::Panic, &source.name, None, error.to_string())
    }
}

/// A failure at a place of the file.
fn at(source: &ScriptSource, place: &Place, reason: String) -> Failure {
    let file = if place.file.is_empty() { &source.name } else { whole_name(source, &place.file) };
    Failure::new(FailureKind::File, file, place.line, reason)
}

/// The file's whole name where a language knows it by its end only.
pub(super) fn whole_name<'a>(source: &'a ScriptSource, file: &'a str) -> &'a str {
    if source.name.ends_with(file) { &source.name } else { file }
}

/// Adds the text of the line.
pub(super) fn with_source(mut failure: Failure, source: &ScriptSource) -> Failure {
    let Some(line) = failure.line.and_then(|line| (line as usize).checked_sub(1)) else { return failure };
    if failure.file == source.name {
        failure.source = source.text.lines().nth(line).map(str::to_owned);
    } else if let Some(path) = beneath(&source.modules, &failure.file).ok().flatten() {
        // A module of the script.
        failure.source = read_text(&path).ok().and_then(|text| text.lines().nth(line).map(str::to_owned));
    }
    failure
}

/// The path of a file beneath the script's folder; none when the script has no folder.
pub(super) fn beneath(modules: &ModuleSource, name: &str) -> Result<Option<PathBuf>, String> {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if name.is_empty() || !is_plain {
        return Err(format!("{name:?}: expected a path beneath the script's folder"));
    }
    let ModuleSource::Folder(folder) = modules else { return Ok(None) };
    let path = if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
    // Links that lead out of the folder are not followed. What does not exist leads nowhere, unless its folder does.
    let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(folder);
    let known = [path.as_path(), parent];
    let real = known.into_iter().find_map(|path| path.canonicalize().ok());
    let root = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    match real {
        Some(real) if !real.starts_with(&root) => Err(format!("{name:?}: the path leads out of the script's folder")),
        _ => Ok(Some(path)),
    }
}

/// The scene of a name, and its file.
fn read_scene(modules: &ModuleSource, name: &str) -> Result<(Scene, Option<PathBuf>), String> {
    let path = beneath(modules, name)?;
    let scene = match (&path, modules) {
        (Some(path), _) => Scene::from_file(path),
        (None, ModuleSource::Listed(texts)) => {
            let text = texts.get(name).ok_or_else(|| format!("there is no file {name:?}"))?;
            Scene::from_toml(name, text, modules)
        }
        (None, _) => return Err("this script has no folder to find scenes in".to_owned()),
    };
    let scene = scene.map_err(|error| error.to_string())?;
    Ok((Scene { director: None, ..scene }, path))
}
