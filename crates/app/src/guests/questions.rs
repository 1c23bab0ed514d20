//! Questions of guests to the photographer about a photo (decision 0054). They are mailed and then forgotten.

use std::net::IpAddr;

use domain::accounts::EmailAddress;
use domain::events::Event;
use domain::guests::questions::{Question, parse_question};
use domain::{Job, QuestionId, Refusal};

use crate::events::access::{self, Visitor};
use crate::operations::mails;
use crate::operations::runtime::limits::{self, Limit, Subject};
use crate::photos::handles;
use crate::webhooks::reports::{self, Waiting};
use crate::{App, Result};

/// A question, as entered.
pub struct Submission {
    /// The handle of the photo that it is about.
    pub key: String,
    /// Where an answer goes.
    pub email: String,
    /// The question.
    pub message: String,
}

/// Stores a guest's question about a photo of an event until it is mailed to the photographer.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventPinRequired`], [`Refusal::QuestionsNotTaken`], the refusals of the fields,
/// [`Refusal::PhotoNotFound`] as for [`crate::guests::hearts::count`], and [`Refusal::TooMany`] after too many of them from the
/// guest's address, about this event or to this photographer.
pub async fn ask(
    app: &App,
    visitor: &Visitor,
    slug: &str,
    address: IpAddr,
    submission: Submission,
) -> Result<()> {
    let event = access::by_slug(app, visitor, slug).await?;
    if !event.flags.takes_questions {
        return Err(Refusal::QuestionsNotTaken.into());
    }
    let message = parse_question(&submission.message)?;
    if submission.email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(&submission.email)?;
    let photo = handles::photo(app, &submission.key).ok_or(Refusal::PhotoNotFound)?;
    let photo = storage::photos::by_id(&app.db, photo).await?;
    let photo = photo.filter(|photo| photo.event == Some(event.id) && !photo.hidden);
    let photo = photo.ok_or(Refusal::PhotoNotFound)?;
    let subjects =
        [(Subject::Address(address), 1), (Subject::Event(event.id), 1), (Subject::Owner(event.owner), 1)];
    limits::check(app, Limit::Questions, &subjects).await?;
    let (id, created_at) = (app.id::<QuestionId>(), app.now());
    let question = Question { id, photo: photo.id, email, message, created_at };
    let mut tx = app.begin().await?;
    storage::guests::questions::create(&mut tx, &question).await?;
    tx.enqueue(&Job::SendQuestion { question: id }).await?;
    reports::guest_waiting(app, &mut tx, &event, Waiting::Question).await?;
    tx.commit().await
}

/// The job of [`ask`]. Nobody is told of a photo or an event that is gone meanwhile.
pub(crate) async fn forward(app: &App, id: QuestionId) -> Result<()> {
    let Some(question) = storage::guests::questions::by_id(&app.db, id).await? else { return Ok(()) };
    let Some(photo) = storage::photos::by_id(&app.db, question.photo).await? else { return Ok(()) };
    let event = match photo.event {
        Some(event) => storage::events::by_id(&app.db, event).await?.filter(Event::is_open),
        None => None,
    };
    let owner = storage::accounts::users::by_id(&app.db, photo.owner).await?;
    if let (Some(event), Some(owner)) = (event, owner) {
        mails::deliver(app, &mails::guests::question(&app.settings, &owner, &event, &photo, &question)?)
            .await?;
    }
    forget(app, id).await
}

/// Deletes a question: it is mailed, or never will be.
pub(crate) async fn forget(app: &App, id: QuestionId) -> Result<()> {
    storage::guests::questions::delete(&app.db, id).await?;
    Ok(())
}
