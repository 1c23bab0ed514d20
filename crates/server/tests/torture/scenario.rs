//! What a round does: an engine, a fault, and a seed from which everything else is drawn.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// What goes wrong while photographers work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The server, or the worker beside it, gets SIGKILL at random moments and is started again.
    Kill,
    /// As with `Kill`, while a payment provider sends its notifications of payments and refunds in any order and more than once.
    Notifications,
    /// Every process of the database server gets SIGKILL; it is started again and recovers.
    DatabaseKill,
    /// Connections to the database are cut at COMMIT, before the database has seen it or before its answer is passed on.
    CommitCut,
    /// The object store answers 503, half of the time after it has done what it was asked for.
    BucketUnavailable,
    /// No file can grow: every write beyond a limit fails, some of them after a part.
    DiskFull,
    /// Nothing can be written, or read, or the file system is mounted for reading alone, or has no room, one after the other.
    DiskFails,
    /// As with `Kill`; and at many moments the power is cut, so that of what no fsync has put on the disk any part may be lost.
    PowerCut,
    /// The wall clock goes ahead and back while the server runs, one after the other, and is right again in the end.
    ClockMoves,
    /// Of three servers and two workers one each gets SIGKILL, PostgreSQL is started again, and the object store answers 503,
    /// one after the other, while photographers upload through all servers in turn.
    ManyMachines,
}

impl Engine {
    pub(crate) const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

impl Fault {
    pub(crate) const ALL: [Self; 10] = [
        Self::Kill,
        Self::Notifications,
        Self::DatabaseKill,
        Self::CommitCut,
        Self::BucketUnavailable,
        Self::DiskFull,
        Self::DiskFails,
        Self::PowerCut,
        Self::ClockMoves,
        Self::ManyMachines,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Notifications => "notifications",
            Self::DatabaseKill => "database-kill",
            Self::CommitCut => "commit-cut",
            Self::BucketUnavailable => "bucket-unavailable",
            Self::DiskFull => "disk-full",
            Self::DiskFails => "disk-fails",
            Self::PowerCut => "power-cut",
            Self::ClockMoves => "clock-moves",
            Self::ManyMachines => "many-machines",
        }
    }

    /// Whether it can happen with this database.
    pub(crate) const fn applies_to(self, engine: Engine) -> bool {
        match self {
            Self::DatabaseKill | Self::CommitCut | Self::ManyMachines => matches!(engine, Engine::Postgres),
            // What becomes of the files of PostgreSQL is its own promise.
            Self::PowerCut => matches!(engine, Engine::Sqlite),
            Self::Kill
            | Self::Notifications
            | Self::BucketUnavailable
            | Self::DiskFull
            | Self::DiskFails
            | Self::ClockMoves => true,
        }
    }
}

/// A round, which its name makes again: `postgres/commit-cut/1234`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) engine: Engine,
    pub(crate) fault: Fault,
    pub(crate) seed: u32,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.engine.as_str(), self.fault.as_str(), self.seed)
    }
}

impl FromStr for Round {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let parse = || {
            let mut parts = name.split('/');
            let (engine, fault, seed) = (parts.next()?, parts.next()?, parts.next()?);
            let engine = Engine::ALL.into_iter().find(|known| known.as_str() == engine)?;
            let fault = Fault::ALL.into_iter().find(|known| known.as_str() == fault)?;
            let round = Self { engine, fault, seed: seed.parse().ok()? };
            (parts.next().is_none() && fault.applies_to(engine)).then_some(round)
        };
        parse().ok_or_else(|| String::from("a round is ENGINE/FAULT/SEED, such as sqlite/kill/1"))
    }
}

/// A name is printed and read again.
pub(crate) fn self_test() {
    for engine in Engine::ALL {
        for fault in Fault::ALL.into_iter().filter(|fault| fault.applies_to(engine)) {
            let round = Round { engine, fault, seed: 7 };
            assert_eq!(round.to_string().parse(), Ok(round));
        }
    }
    assert!("sqlite/commit-cut/7".parse::<Round>().is_err() && "sqlite/kill".parse::<Round>().is_err());
}
