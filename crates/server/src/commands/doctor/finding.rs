//! What one check has found.

use std::fmt;

use serde::Serialize;

/// How a check went, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// There was nothing to check, or no way to.
    Skipped,
    /// It works.
    Ok,
    /// It works, and somebody should look after it.
    Warning,
    /// It does not work.
    Failed,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Skipped => "skipped",
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        })
    }
}

/// What one check has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// The check; its name stays from version to version.
    pub(super) name: &'static str,
    /// How it went.
    pub(super) status: Status,
    /// What was seen, in a sentence.
    pub(super) seen: String,
    /// What to do about it, in a sentence; none where nothing is to be done.
    pub(super) cure: Option<String>,
}

impl Finding {
    /// It works.
    pub(super) fn ok(name: &'static str, seen: impl Into<String>) -> Self {
        Self { name, status: Status::Ok, seen: seen.into(), cure: None }
    }

    /// It works, and somebody should look after it.
    pub(super) fn warning(name: &'static str, seen: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { name, status: Status::Warning, seen: seen.into(), cure: Some(cure.into()) }
    }

    /// It does not work.
    pub(super) fn failed(name: &'static str, seen: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { name, status: Status::Failed, seen: seen.into(), cure: Some(cure.into()) }
    }

    /// There was nothing to check, or no way to.
    pub(super) fn skipped(name: &'static str, why: impl Into<String>) -> Self {
        Self { name, status: Status::Skipped, seen: why.into(), cure: None }
    }
}

/// Somebody else's text as the end of a sentence.
pub(super) fn ended(text: &str) -> String {
    let text = text.trim();
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}
