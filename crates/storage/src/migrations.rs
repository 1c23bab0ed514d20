//! The schema's history, inside the binary.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{PgPool, SqlStr, SqlitePool};

use crate::Result;

/// What was applied to a database.
const APPLIED: &str = "SELECT version FROM _sqlx_migrations";

/// How far a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The newest migration that was applied; none in a new database.
    pub found: Option<i64>,
    /// The newest that this program has.
    pub known: i64,
    /// How many migrations of this program were not applied.
    pub pending: usize,
    /// Whether a migration was applied that this program does not have.
    pub is_newer: bool,
}

/// Every migration of one engine. Not `sqlx::migrate!`, for the reason given in `row.rs`; a test compares the list with
/// the folders.
macro_rules! migrator {
    ($engine:literal) => {
        migrator!($engine: 1 "initial" "0001_initial.sql", 2 "downloads" "0002_downloads.sql",
            3 "media store" "0003_media_store.sql", 4 "indexing" "0004_indexing.sql", 5 "payments" "0005_payments.sql",
            6 "removal dates" "0006_removal_dates.sql", 7 "average color" "0007_average_color.sql",
            8 "charges by event" "0008_charges_by_event.sql", 9 "ended sessions" "0009_ended_sessions.sql",
            10 "free orders" "0010_free_orders.sql", 11 "preview size" "0011_preview_size.sql",
            12 "medium size" "0012_medium_size.sql", 13 "not me reports" "0013_not_me_reports.sql",
            14 "subscriptions" "0014_subscriptions.sql", 15 "download sources" "0015_download_sources.sql",
            16 "getting in" "0016_getting_in.sql", 17 "redactions" "0017_redactions.sql",
            18 "objections" "0018_objections.sql",
            19 "consents" "0019_consents.sql", 20 "seen objections" "0020_seen_objections.sql",
            21 "gallery changes" "0021_gallery_changes.sql",
            22 "exports" "0022_exports.sql", 23 "counters" "0023_counters.sql", 24 "indexes" "0024_indexes.sql",
            25 "without faces" "0025_without_faces.sql", 27 "people" "0027_people.sql",
            28 "charges" "0028_charges.sql", 30 "moved" "0030_moved.sql", 31 "owner checked at commit" "0031_owner_checked_at_commit.sql",
            32 "counted requests" "0032_counted_requests.sql", 33 "setup" "0033_setup.sql",
            34 "probes" "0034_probes.sql", 35 "administration" "0035_administration.sql",
            36 "event changes" "0036_event_changes.sql", 37 "closed uploads" "0037_closed_uploads.sql",
            38 "api tokens" "0038_api_tokens.sql", 39 "studios" "0039_studios.sql", 40 "captures" "0040_captures.sql",
            41 "pins" "0041_pins.sql",
            43 "statistics" "0043_statistics.sql", 44 "webhooks" "0044_webhooks.sql", 45 "trash" "0045_trash.sql",
            46 "downloads" "0046_downloads.sql", 47 "own downloads" "0047_own_downloads.sql",
            48 "albums" "0048_albums.sql", 49 "hearts" "0049_hearts.sql",
            50 "questions" "0050_questions.sql", 52 "studio logos" "0052_studio_logos.sql",
            53 "watermarks" "0053_watermarks.sql", 54 "members" "0054_members.sql",
             55 "browsing" "0055_browsing.sql", 56 "ftp" "0056_ftp.sql")
    };
    ($engine:literal: $($version:literal $description:literal $file:literal),*) => {
        Migrator::with_migrations(vec![$(
            Migration::new(
                $version,
                Cow::Borrowed($description),
                MigrationType::Simple,
                SqlStr::from_static(include_str!(concat!("../migrations/", $engine, "/", $file))),
                false,
            ),
        )*])
    };
}

pub(crate) fn sqlite() -> Migrator {
    migrator!("sqlite")
}

pub(crate) fn postgres() -> Migrator {
    migrator!("postgres")
}

/// The version of a SQLite database. The table is the driver's own, and is not there before the first migration.
pub(crate) async fn version_in_sqlite(pool: &SqlitePool) -> Result<Schema> {
    let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_one(pool)
        .await?;
    if there == 0 {
        return Ok(compare(&[]));
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(compare(&versions))
}

/// The version of a PostgreSQL database.
pub(crate) async fn version_in_postgres(pool: &PgPool) -> Result<Schema> {
    let there: bool =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(pool).await?;
    if !there {
        return Ok(compare(&[]));
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(compare(&versions))
}

/// What was applied, beside what there is.
fn compare(applied: &[i64]) -> Schema {
    let applied: BTreeSet<i64> = applied.iter().copied().collect();
    let known: BTreeSet<i64> = sqlite().iter().map(|migration| migration.version).collect();
    Schema {
        found: applied.last().copied(),
        known: known.last().copied().unwrap_or_default(),
        pending: known.difference(&applied).count(),
        is_newer: applied.difference(&known).next().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[tokio::test]
    async fn every_file_of_both_folders_is_embedded() {
        for (folder, embedded) in [("migrations/sqlite", sqlite()), ("migrations/postgres", postgres())] {
            let files = Migrator::new(Path::new(folder)).await.unwrap();
            let listed = |migrator: &Migrator| -> Vec<_> {
                migrator
                    .iter()
                    .map(|migration| {
                        let Migration { version, description, checksum, migration_type, no_tx, .. } =
                            migration.clone();
                        (version, description, checksum, migration_type, no_tx)
                    })
                    .collect()
            };
            assert_eq!(listed(&embedded), listed(&files), "{folder}");
        }
    }
}
