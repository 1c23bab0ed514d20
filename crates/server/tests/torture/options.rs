//! The command line.

use std::time::Duration;

use rand::RngExt as _;

use crate::scenario::{Engine, Fault, Round};

#[derive(clap::Parser)]
#[command(name = "cargo xtask torture", about = "Fault injection: kills and cuts under load, then an oracle")]
pub(crate) struct Options {
    /// Rounds of SIGKILL with SQLite
    #[arg(long, default_value_t = 0)]
    sqlite: u32,
    /// Rounds of SIGKILL with PostgreSQL
    #[arg(long, default_value_t = 0)]
    postgres: u32,
    /// Rounds of every other fault, with each database to which it applies
    #[arg(long, default_value_t = 0)]
    faults: u32,
    /// Rounds of three servers and two workers with PostgreSQL and a bucket
    #[arg(long, default_value_t = 0)]
    machines: u32,
    /// How many photos all photographers together upload in such a round
    #[arg(long, default_value_t = 40)]
    pub(crate) photos: usize,
    /// The first round's seed, the others count up from it; drawn at random when left out
    #[arg(long)]
    seed: Option<u32>,
    /// This round, once or several times: ENGINE/FAULT/SEED as a report names it
    #[arg(long, value_name = "ROUND")]
    replay: Vec<Round>,
    /// For how many seconds the bucket is unavailable, and for half of that the disk full
    #[arg(long, default_value_t = 3)]
    outage: u64,
    /// How often the power is cut in a round
    #[arg(long, default_value_t = 60)]
    pub(crate) cuts: usize,
    /// How many requests each photographer makes
    #[arg(long, default_value_t = 14)]
    pub(crate) steps: usize,
    /// Rounds that run at the same time
    #[arg(long, default_value_t = 3)]
    pub(crate) parallel: usize,
}

impl Options {
    pub(crate) fn rounds(&self) -> Vec<Round> {
        let first = self.seed.unwrap_or_else(|| rand::rng().random());
        let mut seeds = (0..).map(|offset| first.wrapping_add(offset));
        let mut rounds = self.replay.clone();
        for fault in Fault::ALL {
            for engine in Engine::ALL.into_iter().filter(|engine| fault.applies_to(*engine)) {
                let count = match (fault, engine) {
                    (Fault::Kill, Engine::Sqlite) => self.sqlite,
                    (Fault::Kill, Engine::Postgres) => self.postgres,
                    (Fault::ManyMachines, _) => self.machines,
                    _ => self.faults,
                };
                let seeds = seeds.by_ref().take(count.try_into().unwrap_or(usize::MAX));
                rounds.extend(seeds.map(|seed| Round { engine, fault, seed }));
            }
        }
        rounds
    }

    pub(crate) fn outage(&self, fault: Fault) -> Duration {
        let outage = Duration::from_secs(self.outage);
        if fault == Fault::DiskFull { outage / 2 } else { outage }
    }
}
