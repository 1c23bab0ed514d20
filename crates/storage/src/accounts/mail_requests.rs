//! Mails that were asked for by an address, kept until they are made.

use domain::accounts::{EmailAddress, RequestedMail};
use domain::{MailRequestId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// A mail that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRequest {
    /// Its id.
    pub id: MailRequestId,
    /// Which mail.
    pub mail: RequestedMail,
    /// The address, which need not have an account.
    pub email: EmailAddress,
    /// When it was asked for.
    pub created_at: Timestamp,
}

row! {
    pub(crate) struct MailRequestRow {
        id: String,
        mail: String,
        email: String,
        created_at: i64,
    }
}

impl FromColumns for MailRequest {
    type Columns = MailRequestRow;

    fn from_columns(row: MailRequestRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "mail_requests.id")?,
            mail: decode::known(RequestedMail::from_stored(&row.mail), "mail_requests.mail")?,
            email: EmailAddress::from_trusted(row.email),
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts a request.
pub async fn create(tx: &mut Tx, request: &MailRequest) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO mail_requests (id, mail, email, created_at) VALUES ($1, $2, $3, $4)",
        request.id,
        request.mail,
        request.email,
        request.created_at,
    )?;
    Ok(())
}

/// A request; none once its mail is made.
pub async fn by_id(db: &dyn Executor, id: MailRequestId) -> Result<Option<MailRequest>> {
    fetch_optional!(
        db,
        MailRequest,
        "SELECT id, mail, email, created_at FROM mail_requests WHERE id = $1",
        id
    )
}

/// Deletes a request whose mail is made.
pub async fn delete(db: &dyn Executor, id: MailRequestId) -> Result<()> {
    execute!(db, "DELETE FROM mail_requests WHERE id = $1", id)?;
    Ok(())
}

/// Deletes the requests from before `before`, and answers their number.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM mail_requests WHERE created_at < $1", before)
}
