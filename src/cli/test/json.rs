//! The report as JSON.

use serde_json::{Value, json};

use super::{
    coverage,
    report::{Case, Round, Status},
};
use crate::{
    cli::problem::Problem,
    scenario::{ActorTrace, Failure},
};

pub(super) fn write(round: &Round) -> Result<String, Problem> {
    let scenarios: Vec<Value> = round.cases.iter().map(|case| scenario(round, case)).collect();
    let broken: Vec<Value> =
        round.broken.iter().map(|broken| json!({"file": broken.file, "failure": failure(&broken.failure)})).collect();
    let mut report = json!({
        "soup386_test": 1,
        "shuffle": round.shuffle,
        "seeds": round.seeds(),
        "summary": {
            "scenarios": round.cases.len(),
            "passed": round.count(Status::Passed),
            "failed": round.count(Status::Failed),
            "skipped": round.count(Status::Skipped),
            "not_run": round.count(Status::NotRun),
            "left_out": round.left_out,
            "files_that_cannot_be_used": round.broken.len(),
        },
        "scenarios": scenarios,
        "files_that_cannot_be_used": broken,
    });
    if let Some(reached) = &round.coverage {
        report["coverage"] = coverage::json(reached);
    }
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| Problem::Other(format!("cannot make the JSON report: {error}")))
}

fn scenario(round: &Round, case: &Case) -> Value {
    let declared = round.declared(case.place);
    let mut value = json!({
        "file": round.file(case.place),
        "line": declared.line,
        "name": declared.name,
        "tags": declared.tags,
        "status": case.status(),
        "seed": round.seed_of(case.place),
    });
    if let Some(outcome) = &case.outcome {
        value["updates"] = outcome.updates.into();
        value["expectations_held"] = outcome.n_held.into();
        if let Some(why) = case.skipped() {
            value["skipped"] = why.into();
        }
        if let Some(of) = case.failure() {
            value["failure"] = failure(of);
            value["printed"] = outcome.printed.clone().into();
        }
    }
    value
}

fn failure(failure: &Failure) -> Value {
    json!({
        "kind": failure.kind,
        "file": failure.file,
        "line": failure.line,
        "source": failure.source,
        "message": failure.message,
        "expected": failure.expected,
        "found": failure.found,
        "called_from": failure.chain,
        "local_trace": failure.local_trace.iter().map(actor).collect::<Vec<_>>(),
        "golden": failure.golden.as_ref().map(|golden| json!({
            "name": golden.name,
            "line": golden.line,
            "update": golden.tick,
            "actor": golden.actor,
            "lines_that_differ": golden.n_lines,
            "differences": golden.differences.iter().map(|of| json!({
                "field": of.path, "golden": of.a, "run": of.b,
            })).collect::<Vec<_>>(),
        })),
        "report": failure.report(),
    })
}

fn actor(actor: &ActorTrace) -> Value {
    let lines: Vec<Value> = actor
        .lines
        .iter()
        .map(|line| json!({"now": line.now, "refused": line.refused, "values": line.values}))
        .collect();
    json!({"actor": actor.actor, "removed": actor.removed, "updates": lines})
}
