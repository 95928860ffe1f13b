//! The report in the XML form of JUnit.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::report::{Broken, Case, Round, Status};
use crate::cli::problem::Problem;

pub(super) fn write(round: &Round) -> Result<String, Problem> {
    let mut report = Report::new("soup386");
    for (at, of) in round.suites.iter().enumerate() {
        let cases: Vec<&Case> = round.cases.iter().filter(|case| case.place.suite == at).collect();
        if cases.is_empty() {
            continue;
        }
        let mut suite = TestSuite::new(of.source.name.as_str());
        if let Some(seed) = round.shuffle {
            suite.add_property(Property::new("shuffle", seed.to_string()));
        }
        suite.add_property(Property::new("seed", round.seed_of(cases[0].place).to_string()));
        suite.add_test_cases(cases.into_iter().map(|case| test_case(round, case)));
        report.add_test_suite(suite);
    }
    report.add_test_suites(round.broken.iter().map(broken_file));
    report.to_string().map_err(|error| Problem::Other(format!("cannot make the JUnit report: {error}")))
}

fn test_case(round: &Round, case: &Case) -> TestCase {
    let declared = round.declared(case.place);
    let mut status = match case.status() {
        Status::Passed => TestCaseStatus::success(),
        Status::Skipped | Status::NotRun => TestCaseStatus::skipped(),
        Status::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    if let Some(failure) = case.failure() {
        status.set_message(failure.to_string()).set_type(failure.kind.name()).set_description(failure.report());
    } else if case.status() == Status::NotRun {
        status.set_message("not run: another scenario failed");
    } else if let Some(why) = case.skipped() {
        status.set_message(why);
    }
    let mut test = TestCase::new(declared.name.as_str(), status);
    test.set_classname(round.file(case.place));
    test.add_property(Property::new("seed", round.seed_of(case.place).to_string()));
    if let Some(outcome) = case.outcome.as_ref().filter(|_| case.failure().is_some() || case.skipped().is_none()) {
        test.set_assertions(usize::try_from(outcome.n_held).unwrap_or(usize::MAX));
        if case.failure().is_some() && !outcome.printed.is_empty() {
            test.set_system_out(outcome.printed.join("\n"));
        }
    }
    test
}

/// A file that cannot be used, as a suite with one error.
fn broken_file(broken: &Broken) -> TestSuite {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let failure = &broken.failure;
    status.set_message(failure.to_string()).set_type(failure.kind.name()).set_description(failure.report());
    let mut test = TestCase::new("the file", status);
    test.set_classname(broken.file.as_str());
    let mut suite = TestSuite::new(broken.file.as_str());
    suite.add_test_case(test);
    suite
}
