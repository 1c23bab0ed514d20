//! Rows in every table that a schema has, also in those to come.

use std::collections::{BTreeMap, BTreeSet};

use storage::{Db, Engine};

use crate::parity::{change, rows};

const COLUMNS: &str = "
    SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || (c.\"notnull\" OR c.pk > 0)
        || COALESCE((SELECT ' ' || f.\"table\" || ' ' || f.\"to\" FROM pragma_foreign_key_list(m.name) f
            WHERE f.\"from\" = c.name), '')
    FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT IN ('_sqlx_migrations', 'sqlite_sequence', 'counted_requests') ORDER BY m.name, c.cid";

/// A column as the schema declares it.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: String,
    is_required: bool,
    /// Table and column that it refers to.
    refers_to: Option<(String, String)>,
}

/// The columns of all tables, by table, but for what is counted against limits: it is in no snapshot.
pub(crate) struct Schema(BTreeMap<String, Vec<Column>>);

impl Schema {
    /// The newest one.
    pub(crate) async fn newest() -> Self {
        Self::of(&storage::testing::sqlite().await.db).await
    }

    /// That of a SQLite database.
    pub(crate) async fn of(db: &Db) -> Self {
        let mut schema = BTreeMap::<String, Vec<Column>>::new();
        for line in rows(db, COLUMNS).await {
            let line = line.replace("DOUBLE PRECISION", "DOUBLE");
            let parts: Vec<String> = line.split(' ').map(str::to_owned).collect();
            schema.entry(parts[0].clone()).or_default().push(Column {
                name: parts[1].clone(),
                kind: parts[2].clone(),
                is_required: parts[3] == "1",
                refers_to: parts.get(4).map(|table| (table.clone(), parts[5].clone())),
            });
        }
        Self(schema)
    }

    /// The tables, each after those that it refers to.
    pub(crate) fn tables(&self) -> Vec<(&str, &[Column])> {
        let (mut ordered, mut listed) = (Vec::new(), BTreeSet::new());
        while listed.len() < self.0.len() {
            let before = listed.len();
            for (table, columns) in &self.0 {
                let mut referred = columns.iter().filter_map(|column| column.refers_to.as_ref());
                if !listed.contains(table) && referred.all(|(other, _)| listed.contains(other)) {
                    ordered.push((table.as_str(), columns.as_slice()));
                    listed.insert(table.clone());
                }
            }
            assert!(listed.len() > before, "tables refer to each other in a circle");
        }
        ordered
    }

    fn value(&self, engine: Engine, table: &str, column: &Column, row: u8) -> String {
        if let Some((table, name)) = &column.refers_to {
            let referred = self.0[table].iter().find(|column| column.name == *name).unwrap();
            return self.value(engine, table, referred, row);
        }
        match column.kind.as_str() {
            "TEXT" => format!("'{table}.{} {row} é'", column.name),
            "BIGINT" => row.to_string(),
            "DOUBLE" => format!("0.{row}"),
            "BOOLEAN" => String::from(if row == 1 { "TRUE" } else { "FALSE" }),
            "BLOB" => {
                let hex: String =
                    format!("{table}.{}", column.name).bytes().map(|b| format!("{b:02x}")).collect();
                match engine {
                    Engine::Sqlite => format!("X'00FF{hex}0{row}'"),
                    Engine::Postgres => format!("'\\x00ff{hex}0{row}'::bytea"),
                }
            }
            other => panic!("{table}.{} is of the type {other}, which nothing moves", column.name),
        }
    }

    /// Puts two rows into every table: one with all values, one with NULLs where they may be.
    pub(crate) async fn fill(&self, db: &Db) -> usize {
        for (table, columns) in self.tables() {
            for row in [1, 2] {
                let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                let values: Vec<String> = columns
                    .iter()
                    .map(|column| match (row, column.is_required) {
                        (2, false) => String::from("NULL"),
                        _ => self.value(db.engine(), table, column, row),
                    })
                    .collect();
                let insert =
                    format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "));
                change(db, &insert).await;
            }
        }
        self.0.len()
    }
}
