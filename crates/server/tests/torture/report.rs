//! What a run prints: a line for each round, and at the end a table by database and fault, and the sums as libtest
//! prints them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::ledger::Totals;
use crate::round::Outcome;
use crate::scenario::{Engine, Fault, Round};

/// The outcomes of all rounds.
#[derive(Default)]
pub(crate) struct Report {
    rows: BTreeMap<(Fault, Engine), Row>,
    /// The rounds that failed, with the first of their defects: the end of the output may be all that is kept of it.
    failed: Vec<(Round, String)>,
}

#[derive(Default)]
struct Row {
    rounds: usize,
    failed: usize,
    totals: Totals,
}

/// Says at once how a round ended.
pub(crate) fn print_line(round: Round, outcome: &Outcome, took: Duration) {
    let verdict = if outcome.defects.is_empty() { "ok" } else { "FAILED" };
    println!("{round} ... {verdict} ({:.1} s)", took.as_secs_f64());
    for defect in &outcome.defects {
        println!("    {}", defect.replace('\n', "\n    "));
    }
}

impl Report {
    pub(crate) fn add(&mut self, round: Round, outcome: &Outcome) {
        let defect = outcome.defects.first();
        let row = self.rows.entry((round.fault, round.engine)).or_default();
        row.rounds += 1;
        row.failed += usize::from(defect.is_some());
        row.totals += outcome.totals;
        self.failed.extend(defect.map(|defect| (round, defect.clone())));
    }

    /// A round that did not come to its end.
    pub(crate) fn add_broken(&mut self, round: Round, error: &impl fmt::Display) {
        println!("{round} ... FAILED: {error}");
        self.add(round, &Outcome { defects: vec![error.to_string()], totals: Totals::default() });
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.failed.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n{:<20}{:<10}{:>7}{:>8}{:>9}{:>11}{:>8}{:>8}{:>11}{:>10}",
            "fault",
            "database",
            "rounds",
            "failed",
            "injected",
            "unanswered",
            "photos",
            "orders",
            "deletions",
            "addresses"
        )?;
        for ((fault, engine), row) in &self.rows {
            let Totals { photos, orders, deletions, addresses, unanswered, injected } = row.totals;
            writeln!(
                f,
                "{:<20}{:<10}{:>7}{:>8}{injected:>9}{unanswered:>11}{photos:>8}{orders:>8}{deletions:>11}{addresses:>10}",
                fault.as_str(),
                engine.as_str(),
                row.rounds,
                row.failed
            )?;
        }
        for (round, defect) in &self.failed {
            writeln!(
                f,
                "failed: cargo xtask torture --replay {round}; its folder is in target/torture: {defect}"
            )?;
        }
        let failed = self.failed.len();
        let passed = self.rows.values().map(|row| row.rounds).sum::<usize>() - failed;
        let verdict = if failed == 0 { "ok" } else { "FAILED" };
        write!(
            f,
            "\ntest result: {verdict}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out"
        )
    }
}
