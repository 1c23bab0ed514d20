//! Rows of either engine as structs.

use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{ColumnIndex, Decode, Postgres, Row as _, Sqlite, Type};

/// A row of either engine.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// The value of a column, by its name or its place.
    pub(crate) fn get<T: FromColumn>(&self, column: impl Index) -> sqlx::Result<T> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }
}

/// What a column of both engines is decoded into.
pub(crate) trait FromColumn:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

impl<T> FromColumn for T where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

/// The name or the place of a column.
pub(crate) trait Index: ColumnIndex<SqliteRow> + ColumnIndex<PgRow> {}

impl<T: ColumnIndex<SqliteRow> + ColumnIndex<PgRow>> Index for T {}

/// What a row is read into.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &Row) -> sqlx::Result<Self>;
}

macro_rules! tuples {
    ($(($($type:ident $place:literal),+))+) => {$(
        impl<$($type: FromColumn),+> FromRow for ($($type,)+) {
            fn from_row(row: &Row) -> sqlx::Result<Self> {
                Ok(($(row.get::<$type>($place)?,)+))
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}

/// Declares a struct whose fields are named after a row's columns, and reads it from a row of either engine.
/// `..name: Row,` at the beginning includes all columns of another such struct.
///
/// sqlx's derive does the same for one engine, but its macro crate compiles the drivers, SQLite and TLS a second time.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $(..$part:ident: $part_type:ty,)?
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($part: $part_type,)?
            $($(#[$field_attribute])* $field_visibility $field: $type,)*
        }

        impl $crate::operations::runtime::row::FromRow for $name {
            fn from_row(row: &$crate::operations::runtime::row::Row) -> sqlx::Result<Self> {
                Ok(Self {
                    $($part: $crate::operations::runtime::row::FromRow::from_row(row)?,)?
                    $($field: row.get(stringify!($field))?,)*
                })
            }
        }
    };
}
pub(crate) use row;
