//! What addresses and codes are compared by, for rows of versions that compared them otherwise. SQL cannot compute it.

use domain::accounts::EmailAddress;
use domain::payments::coupons::normalize_code;

use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Db, Result};

/// An address or a code as it is spelled.
struct Spelled {
    id: String,
    text: String,
}

impl FromColumns for Spelled {
    type Columns = (String, String);

    fn from_columns((id, text): (String, String)) -> Result<Self> {
        Ok(Self { id, text })
    }
}

/// Those of a table that may have another key: what is not ASCII, or a domain as DNS has it.
macro_rules! doubtful {
    ($table:literal, $text:literal, $key:literal) => {
        concat!(
            "SELECT id, ",
            $text,
            " FROM ",
            $table,
            " WHERE ",
            $key,
            " IS NOT NULL AND (OCTET_LENGTH(",
            $key,
            ") <> LENGTH(",
            $key,
            ") OR ",
            $key,
            " LIKE '%xn--%') ORDER BY id"
        )
    };
}

/// Gives a row its key, unless it has it, or another row has it that it must differ from.
macro_rules! renew {
    ($db:expr, $table:literal, $key:literal, $unlike:literal, $row:expr, $value:expr) => {{
        let Spelled { id, text } = $row;
        let value = $value(&text);
        let updated = execute!(
            $db,
            concat!(
                "UPDATE ",
                $table,
                " SET ",
                $key,
                " = $2 WHERE id = $1 AND ",
                $key,
                " <> $2 AND NOT EXISTS (SELECT 1 FROM ",
                $table,
                " AS others WHERE others.",
                $key,
                " = $2 AND others.id <> $1",
                $unlike,
                ")"
            ),
            id.as_str(),
            value.as_str(),
        );
        match updated {
            // It was made since.
            Err(error) if error.is_unique_violation() => 0,
            updated => updated?,
        }
    }};
}

/// Gives the addresses and codes of versions before the keys of this one, and answers how many have changed. Of those that are
/// told apart no longer, the oldest gets it; the others keep theirs, by which they are found as they are spelled. What is done
/// already is not written again, so that it may be stopped at any time and run at each start.
pub async fn renew(db: &Db) -> Result<u64> {
    let of_address = |text: &str| EmailAddress::from_trusted(text.to_owned()).key();
    let mut changed = 0;
    for row in fetch_all!(db, Spelled, doubtful!("users", "email", "email_key"))? {
        changed += renew!(db, "users", "email_key", "", row, of_address);
    }
    for row in fetch_all!(db, Spelled, doubtful!("event_invitations", "email", "email_key"))? {
        changed += renew!(
            db,
            "event_invitations",
            "email_key",
            " AND others.event_id = event_invitations.event_id",
            row,
            of_address
        );
    }
    for row in fetch_all!(db, Spelled, doubtful!("subscriptions", "email", "email_key"))? {
        changed += renew!(db, "subscriptions", "email_key", " AND FALSE", row, of_address);
    }
    for row in fetch_all!(db, Spelled, doubtful!("coupons", "code", "code_key"))? {
        changed += renew!(db, "coupons", "code_key", "", row, normalize_code);
    }
    Ok(changed)
}
