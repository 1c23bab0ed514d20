//! Questions of guests about photos, until they are mailed. A question goes with its photo.

use domain::accounts::EmailAddress;
use domain::guests::questions::Question;
use domain::{PhotoId, QuestionId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct QuestionRow {
        id: String,
        photo_id: String,
        email: String,
        message: String,
        created_at: i64,
    }
}

impl FromColumns for Question {
    type Columns = QuestionRow;

    fn from_columns(row: QuestionRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "questions.id")?,
            photo: decode::id::<PhotoId>(&row.photo_id, "questions.photo_id")?,
            email: EmailAddress::from_trusted(row.email),
            message: row.message,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts a question.
pub async fn create(tx: &mut Tx, question: &Question) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO questions (id, photo_id, email, message, created_at) VALUES ($1, $2, $3, $4, $5)",
        question.id,
        question.photo,
        question.email,
        question.message,
        question.created_at,
    )?;
    Ok(())
}

/// A question that was not mailed yet.
pub async fn by_id(db: &dyn Executor, id: QuestionId) -> Result<Option<Question>> {
    fetch_optional!(
        db,
        Question,
        "SELECT id, photo_id, email, message, created_at FROM questions WHERE id = $1",
        id,
    )
}

/// Deletes a question; false when it is not there.
pub async fn delete(db: &dyn Executor, id: QuestionId) -> Result<bool> {
    Ok(execute!(db, "DELETE FROM questions WHERE id = $1", id)? == 1)
}
