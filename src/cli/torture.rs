//! `soup386 torture`.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{
    Outcome,
    output::{count, to_stdout},
    problem::Problem,
};
use crate::{
    Scene,
    defs::Language,
    torture::{Finding, Stage, Torture, minimal_script, torture},
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 torture yard.toml\n  soup386 torture yard.toml --actor CYRUS --language rhai --all"
)]
pub(crate) struct TortureArguments {
    /// The scene file; its scripts do not run. The built-in demo is called demo.
    scene: PathBuf,
    /// Only this actor.
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// The language of the scripts that show what was found.
    #[arg(long, value_enum, default_value = "lua")]
    language: ScriptLanguage,
    /// Print the scripts of known quirks too.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScriptLanguage {
    Lua,
    Rhai,
}

pub(crate) fn run(arguments: &TortureArguments) -> Result<Outcome, Problem> {
    let problem = |error: crate::Error| Problem::Library { error, sources: Vec::new() };
    let is_demo = arguments.scene == Path::new("demo") && !arguments.scene.exists();
    let scene = if is_demo {
        Scene::demo()
    } else {
        Scene::from_file(&arguments.scene).map_err(|error| problem(error.into()))?
    };
    let found = torture(&scene, arguments.actor.as_deref()).map_err(problem)?;
    to_stdout(|out| if arguments.json { json(&found, arguments, out) } else { text(&found, arguments, out) })?;
    let is_new = found.findings.iter().any(|finding| finding.quirk.is_none());
    Ok(if is_new { Outcome::Failed } else { Outcome::Held })
}

fn script(finding: &Finding, arguments: &TortureArguments) -> String {
    let language = match arguments.language {
        ScriptLanguage::Lua => Language::Lua,
        ScriptLanguage::Rhai => Language::Rhai,
    };
    minimal_script(finding, language)
}

fn text(found: &Torture, arguments: &TortureArguments, out: &mut dyn Write) -> io::Result<()> {
    for (actor, reason) in &found.left_out {
        writeln!(out, "{actor} is left out: {reason}")?;
    }
    let (known, new): (Vec<_>, Vec<_>) = found.findings.iter().partition(|finding| finding.quirk.is_some());
    for finding in &new {
        writeln!(out, "{}", line(finding))?;
        writeln!(out, "{}", indented(&script(finding, arguments)))?;
    }
    // The same quirk of several actors and stages is told once.
    let mut by_reason: BTreeMap<(&str, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in known {
        if let Some(quirk) = finding.quirk {
            by_reason.entry((quirk.rules, quirk.reason)).or_default().push(finding);
        }
    }
    for ((rules, reason), findings) in by_reason {
        writeln!(out, "known, from the rules {rules}: {reason}")?;
        for finding in findings {
            writeln!(out, "  {}", line(finding))?;
            if arguments.all {
                writeln!(out, "{}", indented(&script(finding, arguments)))?;
            }
        }
    }
    let what = match new.len() {
        0 => "nothing that the rules do not demand".to_owned(),
        n => format!("{} that the rules do not explain", count(n as u64, "fault")),
    };
    writeln!(out, "{} tried: {what}", count(found.n_disturbances as u64, "disturbance"))
}

/// `CYRUS, draw, kill: the motion state …, at 12 places`.
fn line(finding: &Finding) -> String {
    let Finding { actor, disturbance, fault, count: n, .. } = finding;
    let places = count(*n as u64, "place");
    format!("{actor}, {}, {}: {fault}, at {places}", stage(disturbance.stage), disturbance.interruption)
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Draw => "draw",
        Stage::Sheath => "sheath",
    }
}

fn indented(script: &str) -> String {
    script.lines().map(|line| format!("    {line}\n")).collect()
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    disturbances: usize,
    left_out: Vec<LeftOut<'a>>,
    findings: Vec<ReportedFinding<'a>>,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    actor: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct ReportedFinding<'a> {
    actor: &'a str,
    stage: &'static str,
    interruption: String,
    /// Updates between the call and the interruption, and updates that it lasts, where it is found first.
    after: usize,
    hold: usize,
    fault: String,
    places: usize,
    rules: Option<&'static str>,
    reason: Option<&'static str>,
    script: String,
}

fn json(found: &Torture, arguments: &TortureArguments, out: &mut dyn Write) -> io::Result<()> {
    let report = Report {
        disturbances: found.n_disturbances,
        left_out: found.left_out.iter().map(|(actor, reason)| LeftOut { actor, reason }).collect(),
        findings: found
            .findings
            .iter()
            .map(|finding| ReportedFinding {
                actor: &finding.actor,
                stage: stage(finding.disturbance.stage),
                interruption: finding.disturbance.interruption.to_string(),
                after: finding.disturbance.after,
                hold: finding.disturbance.hold,
                fault: finding.fault.to_string(),
                places: finding.count,
                rules: finding.quirk.map(|quirk| quirk.rules),
                reason: finding.quirk.map(|quirk| quirk.reason),
                script: script(finding, arguments),
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}
