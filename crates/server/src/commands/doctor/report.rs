//! What all checks have found, for people and for programs.

use serde::Serialize;
use serde_json::Value;

use super::finding::{Finding, Status};
use crate::settings::Settings;
use crate::settings_shown;

/// The form of the JSON; one that is not compatible gets another number.
const FORMAT: u32 = 1;

/// What all checks have found.
#[derive(Serialize)]
pub(super) struct Report {
    format: u32,
    /// The program's.
    version: &'static str,
    /// The worst of all checks.
    status: Status,
    checks: Vec<Finding>,
    /// All settings in force, secrets hidden; null where they cannot be read.
    settings: Value,
    #[serde(skip)]
    changed: Vec<(&'static str, String)>,
}

impl Report {
    /// A report on these settings; none when they cannot be read.
    pub(super) fn new(settings: Option<&Settings>, checks: Vec<Finding>) -> Self {
        let worst = checks.iter().map(|finding| finding.status).max();
        Self {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION"),
            status: worst.unwrap_or(Status::Ok).max(Status::Ok),
            checks,
            settings: settings.map(settings_shown::values).unwrap_or_default(),
            changed: settings.map(settings_shown::changed).unwrap_or_default(),
        }
    }

    /// Whether a check has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.status == Status::Failed
    }

    /// The report as JSON.
    pub(super) fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The report for a person.
    pub(super) fn text(&self) -> String {
        let mut text = format!("Afterglow {}\n\n", self.version);
        if !self.changed.is_empty() {
            text.push_str("Settings that are not the defaults:\n");
            for (name, value) in &self.changed {
                text.push_str(&format!("  {name} = {value}\n"));
            }
            text.push('\n');
        }
        for Finding { name, status, seen, cure } in &self.checks {
            text.push_str(&format!("{status:<8} {name}: {seen}\n"));
            if let Some(cure) = cure {
                text.push_str(&format!("         {cure}\n"));
            }
        }
        let count = |status: Status| self.checks.iter().filter(|finding| finding.status == status).count();
        let numbers = [Status::Ok, Status::Warning, Status::Failed, Status::Skipped]
            .map(|status| format!("{} {status}", count(status)));
        text.push_str(&format!("\n{} checks: {}.\n", self.checks.len(), numbers.join(", ")));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_check_decides_and_its_cure_is_told() {
        let checks = vec![
            Finding::skipped("upload", "No way."),
            Finding::ok("disk", "9 GB are free."),
            Finding::warning("mail", "Mails go to a folder.", "Set `mail_url`."),
        ];
        let report = Report::new(Some(&Settings::default()), checks.clone());
        assert!(!report.has_failed());
        let text = report.text();
        assert!(text.contains("warning  mail: Mails go to a folder.\n         Set `mail_url`.\n"), "{text}");
        assert!(text.ends_with("3 checks: 1 ok, 1 warning, 0 failed, 1 skipped.\n"), "{text}");
        let json: Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!((&json["format"], &json["status"]), (&1.into(), &"warning".into()));
        let expected = serde_json::json!(
            {"name": "disk", "status": "ok", "seen": "9 GB are free.", "cure": null}
        );
        assert_eq!(json["checks"][1], expected);
        assert_eq!(json["settings"]["retention_days"], 30);

        let failed = [checks, vec![Finding::failed("models", "None.", "Build them.")]].concat();
        assert!(Report::new(None, failed).has_failed());
        assert_eq!(Report::new(None, vec![Finding::skipped("upload", "No way.")]).status, Status::Ok);
    }
}
