//! What a client does at the address of a selection: looking, choosing, saying something of a photo, finishing (decision 0094). The
//! address is the key, beside a PIN where the photographer has set one.

use std::collections::HashMap;
use std::net::IpAddr;

use domain::events::Event;
use domain::events::pins::Pin;
use domain::guests::client_selections::{ClientSelection, Mark, parse_comment, parse_message};
use domain::guests::walls::Secret;
use domain::studio::studios::Studio;
use domain::{Job, PhotoId, Refusal};
use storage::guests::client_selections;

use crate::events::access::{self, Visitor};
use crate::guests::browsing::{PAGE, cursor_behind, parse_cursor};
use crate::guests::results::FoundPhoto;
use crate::studio::{studios, watermarked};
use crate::webhooks::reports;
use crate::{App, Result};

/// A selection whose address somebody has.
#[derive(Debug)]
pub struct Opened {
    /// The event.
    pub event: Event,
    /// The selection.
    pub selection: ClientSelection,
}

/// The selection whose address ends with `secret`.
///
/// # Errors
/// [`Refusal::ClientSelectionEnded`], also where its event is deleted or being deleted, or its photographer's account is locked.
pub async fn open(app: &App, secret: &str) -> Result<Opened> {
    let secret = Secret::parse(secret).ok_or(Refusal::ClientSelectionEnded)?;
    let selection = client_selections::by_secret(&app.db, &secret).await?;
    let selection = selection.ok_or(Refusal::ClientSelectionEnded)?;
    let event = access::behind_secret(app, selection.event).await?.ok_or(Refusal::ClientSelectionEnded)?;
    Ok(Opened { event, selection })
}

impl Opened {
    /// Whether the visitor may see the photos: without a PIN, with proof that the PIN is known, or as one who manages the event.
    async fn admits(&self, app: &App, visitor: &Visitor) -> Result<bool> {
        let Some(pin) = &self.selection.pin else { return Ok(true) };
        let proof = visitor.proof.as_deref().unwrap_or_default();
        let expected = app.link_signer.sign_access(self.selection.id, pin);
        Ok(access::is_same(proof, &expected) || visitor.manages(app, &self.event).await?)
    }

    async fn check(&self, app: &App, visitor: &Visitor) -> Result<()> {
        if self.admits(app, visitor).await? { Ok(()) } else { Err(Refusal::ClientPinRequired.into()) }
    }
}

/// Answers the proof that a client knows the PIN of a selection, which is good until the PIN is changed or removed; none when it asks
/// for none.
///
/// # Errors
/// [`Refusal::ClientPinWrong`], or [`Refusal::TooMany`] as for the PIN of an event.
pub async fn enter(app: &App, opened: &Opened, entered: &str, address: IpAddr) -> Result<Option<String>> {
    let Opened { event, selection } = opened;
    let Some(pin) = &selection.pin else { return Ok(None) };
    let expected = app.link_signer.sign_access(selection.id, pin);
    let entered = Pin::parse(entered).map(|entered| app.link_signer.sign_access(selection.id, &entered));
    let is_right = entered.is_ok_and(|proof| access::is_same(&proof, &expected));
    access::attempt(app, event.id, address, is_right, Refusal::ClientPinWrong).await?;
    Ok(Some(expected))
}

/// What a client is told of a selection.
#[derive(Debug)]
pub struct Overview {
    /// Whose event it is.
    pub studio: Option<Studio>,
    /// What else is told once the PIN was entered.
    pub counts: Option<Counts>,
}

/// How many photos there are, and what has become of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How many photos the client sees.
    pub total: i64,
    /// How many of them are chosen.
    pub chosen: i64,
    /// Whether the last day for choosing is over.
    pub is_over: bool,
}

/// A selection as its client sees it.
///
/// # Errors
/// When the database fails.
pub async fn overview(app: &App, visitor: &Visitor, opened: &Opened) -> Result<Overview> {
    let studio = studios::of_event(app, &opened.event).await?;
    let counts = if opened.admits(app, visitor).await? { Some(counts(app, opened).await?) } else { None };
    Ok(Overview { studio, counts })
}

async fn counts(app: &App, Opened { event, selection }: &Opened) -> Result<Counts> {
    Ok(Counts {
        total: client_selections::count_shown(&app.db, selection).await?,
        chosen: client_selections::chosen(&app.db, selection.id).await?,
        is_over: selection.is_over(event, app.now()),
    })
}

/// Which photos a client asks for.
#[derive(Default)]
pub struct Query {
    /// Those alone that are chosen.
    pub chosen: bool,
    /// How many; 60 when left out, at most 200.
    pub limit: Option<u32>,
    /// [`Page::next_cursor`] of the page before.
    pub cursor: Option<String>,
}

/// Photos that a client sees, by the moment of capture.
pub struct Page {
    /// They, with links as guests have them, and their marks.
    pub photos: Vec<(FoundPhoto, Mark)>,
    /// The cursor of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of the photos that the client of a selection sees: never one that guests do not see.
///
/// # Errors
/// [`Refusal::ClientPinRequired`], or [`Refusal::CursorInvalid`] for a cursor that no page has returned.
pub async fn page(app: &App, visitor: &Visitor, opened: &Opened, query: Query) -> Result<Page> {
    opened.check(app, visitor).await?;
    let after = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let limit = PAGE.of(query.limit)?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    // One more says whether there is another page.
    let (selection, most) = (&opened.selection, i64::from(limit) + 1);
    let mut photos = client_selections::shown(&app.db, selection, query.chosen, after.as_ref(), most).await?;
    let has_more = photos.len() > wanted;
    photos.truncate(wanted);
    let next_cursor = photos.last().filter(|_| has_more).map(cursor_behind);
    let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
    let marks = client_selections::marks(&app.db, selection.id, &ids).await?;
    let mut marks: HashMap<PhotoId, Mark> =
        marks.into_iter().map(|marked| (marked.photo, marked.mark)).collect();
    let watermark = watermarked::of_owner(app, opened.event.owner).await?;
    let mut shown = Vec::with_capacity(photos.len());
    for photo in photos {
        let mark = marks.remove(&photo.id).unwrap_or_default();
        shown.push((FoundPhoto::new(app, photo, None, watermark.as_ref()).await?, mark));
    }
    Ok(Page { photos: shown, next_cursor })
}

/// What a client wants to change of a photo's mark.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Whether it is chosen; none to leave that as it is.
    pub chosen: Option<bool>,
    /// What is said of it; none to leave that as it is, empty for nothing.
    pub comment: Option<String>,
}

/// What has become of a photo's mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The mark.
    pub mark: Mark,
    /// How many photos are chosen now.
    pub chosen: i64,
}

/// Chooses a photo, takes it back, or says something of it. The limit is exact, however many devices choose at once.
///
/// # Errors
/// [`Refusal::ClientPinRequired`], [`Refusal::ClientPhotoNotFound`] for what the client does not see,
/// [`Refusal::ClientCommentTooLong`], [`Refusal::ClientChoiceFull`], [`Refusal::ClientChoiceDone`] or [`Refusal::ClientChoiceOver`].
pub async fn mark(
    app: &App,
    visitor: &Visitor,
    opened: &Opened,
    photo: &str,
    change: Change,
) -> Result<Changed> {
    opened.check(app, visitor).await?;
    let photo: PhotoId = photo.parse().map_err(|_| Refusal::ClientPhotoNotFound)?;
    let comment = change.comment.as_deref().map(parse_comment).transpose()?;
    let mut tx = app.begin().await?;
    let selection = client_selections::lock(&mut tx, opened.selection.id).await?;
    let selection = selection.ok_or(Refusal::ClientSelectionEnded)?;
    selection.check_open(&opened.event, app.now())?;
    if !client_selections::one_shown(&mut tx, &selection, photo).await? {
        return Err(Refusal::ClientPhotoNotFound.into());
    }
    let before = client_selections::marks(&mut *tx, selection.id, &[photo]).await?.pop();
    let before = before.map(|marked| marked.mark).unwrap_or_default();
    let mark = Mark {
        chosen: change.chosen.unwrap_or(before.chosen),
        comment: comment.unwrap_or_else(|| before.comment.clone()),
    };
    if mark.chosen && !before.chosen {
        let chosen = client_selections::chosen(&mut *tx, selection.id).await?;
        if !selection.has_room(chosen) {
            return Err(Refusal::ClientChoiceFull.into());
        }
    }
    client_selections::mark(&mut tx, &selection, photo, &mark, app.now()).await?;
    let chosen = client_selections::chosen(&mut *tx, selection.id).await?;
    tx.commit().await?;
    Ok(Changed { mark, chosen })
}

/// Finishes a selection, and has its photographer told. One that is finished stays so, and nobody is told again, so that the call may
/// be repeated, with the same message or none.
///
/// # Errors
/// [`Refusal::ClientPinRequired`], [`Refusal::ClientMessageTooLong`], [`Refusal::ClientChoiceOver`],
/// [`Refusal::ClientChoiceEmpty`], [`Refusal::ClientChoiceTooLarge`], or [`Refusal::ClientChoiceDone`] where it is finished with
/// another message: nobody would read this one.
pub async fn finish(app: &App, visitor: &Visitor, opened: &Opened, message: &str) -> Result<()> {
    opened.check(app, visitor).await?;
    let message = parse_message(message)?;
    let mut tx = app.begin().await?;
    let selection = client_selections::lock(&mut tx, opened.selection.id).await?;
    let selection = selection.ok_or(Refusal::ClientSelectionEnded)?;
    if selection.done_at.is_some() {
        return if message.is_none() || message == selection.message {
            Ok(())
        } else {
            Err(Refusal::ClientChoiceDone.into())
        };
    }
    selection.check_open(&opened.event, app.now())?;
    let chosen = client_selections::chosen(&mut *tx, selection.id).await?;
    selection.check_finished(chosen)?;
    client_selections::finish(&mut tx, selection.id, message.as_deref(), app.now()).await?;
    tx.enqueue(&Job::TellOfSelection { selection: selection.id }).await?;
    reports::selection_done(app, &mut tx, &opened.event, selection.id, chosen).await?;
    tx.commit().await
}
