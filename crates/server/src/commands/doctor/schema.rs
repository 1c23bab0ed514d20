//! Whether the database's schema is this version's.

use storage::Db;
use storage::operations::schema::{self, Schema};

use super::finding::{Finding, ended};

pub(super) const NAME: &str = "schema";

/// Compares the schema with the program's; true with it when they are the same.
pub(super) async fn check(db: &Db) -> (Finding, bool) {
    match schema::version(db).await {
        Ok(schema) => judge(&schema),
        Err(error) => {
            let seen = ended(&app::Failure::from(error).chain());
            (
                Finding::failed(NAME, seen, "Look at the database's log; the user needs to read its tables."),
                false,
            )
        }
    }
}

fn judge(schema: &Schema) -> (Finding, bool) {
    let Schema { found, known, pending, is_newer } = schema;
    let Some(found) = found else {
        let cure = "The first start makes it; if there should be data, correct `database_url`.";
        return (Finding::warning(NAME, "The database is empty.", cure), false);
    };
    if *is_newer {
        let seen = format!(
            "The database has schema {found}, and this program knows {known}: a later version was here."
        );
        let cure = "Start that version, or restore the backup from before the upgrade.";
        return (Finding::failed(NAME, seen, cure), false);
    }
    if *pending > 0 {
        let seen = format!(
            "The database has schema {found}, and this program {known}: {pending} steps are to be made."
        );
        let cure = "Make a backup with the version that runs, stop it, and start this one, which makes them.";
        return (Finding::warning(NAME, seen, cure), false);
    }
    (Finding::ok(NAME, format!("The database has schema {known}, as this program.")), true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn an_older_schema_waits_and_a_newer_one_is_refused() {
        let judge = |found, pending, is_newer| judge(&Schema { found, known: 31, pending, is_newer });
        assert_eq!(judge(Some(31), 0, false).0.status, Status::Ok);
        assert!(judge(Some(31), 0, false).1);
        assert_eq!(judge(Some(28), 2, false).0.status, Status::Warning);
        assert_eq!(judge(None, 30, false).0.status, Status::Warning);
        let (newer, is_current) = judge(Some(40), 0, true);
        assert!(newer.seen.contains("schema 40") && newer.seen.contains("knows 31"), "{newer:?}");
        assert_eq!((newer.status, is_current), (Status::Failed, false));
    }
}
