//! Rows of either engine as structs.

/// Declares a struct whose fields are named after a row's columns, and reads it from a row of either engine.
/// `..name: Row,` at the beginning includes all columns of another such struct.
///
/// sqlx's derive does the same, but its macro crate compiles the drivers, SQLite and TLS a second time.
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

        impl<'r, R> sqlx::FromRow<'r, R> for $name
        where
            R: sqlx::Row,
            &'static str: sqlx::ColumnIndex<R>,
            $($part_type: sqlx::FromRow<'r, R>,)?
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> sqlx::Result<Self> {
                Ok(Self {
                    $($part: sqlx::FromRow::from_row(row)?,)?
                    $($field: row.try_get(stringify!($field))?,)*
                })
            }
        }
    };
}
pub(crate) use row;
