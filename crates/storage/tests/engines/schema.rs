//! Which version a database has, and which this program knows.

use storage::operations::schema::{self, Schema};
use storage::testing::change;
use storage::{ConnectOptions, Db, Engine, Error};

use crate::world::worlds;

#[tokio::test]
async fn the_schema_is_compared_with_the_programs() {
    for world in worlds().await {
        let current = schema::version(&world.db).await.unwrap();
        assert_eq!((current.found, current.pending, current.is_newer), (Some(current.known), 0, false));
        let engine = schema::engine(&world.db).await.unwrap();
        let expected = match world.db.engine() {
            Engine::Sqlite => "SQLite 3.",
            Engine::Postgres => "PostgreSQL 1",
        };
        assert!(engine.starts_with(expected), "{engine}");

        let newest = current.known;
        change(&world.db, &format!("UPDATE _sqlx_migrations SET version = 9999 WHERE version = {newest}"))
            .await;
        let newer = Schema { found: Some(9999), known: newest, pending: 1, is_newer: true };
        assert_eq!(schema::version(&world.db).await.unwrap(), newer);
        let refused = world.db.migrate().await.unwrap_err();
        assert!(matches!(refused, Error::NewerSchema { found: 9999, known } if known == newest), "{refused}");
        change(&world.db, "DELETE FROM _sqlx_migrations WHERE version = 9999").await;
        let older = schema::version(&world.db).await.unwrap();
        assert!(older.found.unwrap() < newest);
        assert_eq!((older.pending, older.is_newer), (1, false));
    }
}

#[tokio::test]
async fn a_new_database_has_no_version() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/a.db", folder.path().display());
    let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
    let schema = schema::version(&db).await.unwrap();
    assert_eq!((schema.found, schema.is_newer), (None, false));
    assert!(schema.pending > 20);
}
