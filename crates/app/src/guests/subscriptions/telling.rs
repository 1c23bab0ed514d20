//! Telling guests of new photos.
//!
//! Nothing is collected for a mail: what is new is what a search finds now without what the guest knows. So nothing is lost
//! when a process is killed, and what a limit holds back comes with the next mail.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use domain::accounts::tokens::{Token, TokenHash};
use domain::events::Event;
use domain::guests::subscriptions::{LIFETIME, LinkPurpose, RecentMails, SETTLING_TIME, Subscription};
use domain::{DAY, EventId, FaceId, Job, JobId, PhotoId, SubscriptionId};
use storage::faces::index::Scope;
use storage::guests::subscriptions::{Due, NewLink};

use super::requests::are_offered;
use crate::faces::matching;
use crate::faces::sealing::{Key, Purpose};
use crate::faces::templates::{Holder, Template};
use crate::guests::archives;
use crate::guests::mails::{self, News};
use crate::operations;
use crate::operations::runtime::queue::is_permanent;
use crate::studio::studios;
use crate::{App, Failure, Result};

/// Subscriptions that are read in one query.
const BATCH: i64 = 200;
/// How long the link in a mail opens the results: a mail may be read days later.
const RESULTS_LIFETIME: Duration = DAY.saturating_mul(7);
/// How long a link that ends a subscription is known: longer than any subscription lasts.
const UNSUBSCRIBE_LIFETIME: Duration = LIFETIME.saturating_mul(2);

/// Compares the subscriptions whose event has changed, and enqueues a mail for each with new photos.
///
/// # Errors
/// The first failure of a subscription; the others are compared all the same.
pub(crate) async fn enqueue_due(app: &App) -> Result<()> {
    if !app.settings.tells_guests {
        return Ok(());
    }
    let (mut after, mut outcome, mut events) = (None, Ok(()), HashMap::new());
    loop {
        let page = storage::guests::subscriptions::due(&app.db, after, BATCH).await?;
        let Some(last) = page.last() else { return outcome };
        after = Some(last.subscription.id);
        for due in &page {
            let compared = match is_settled(app, &mut events, due.subscription.event).await {
                Ok(is_settled) => enqueue_if_new(app, due, is_settled).await,
                Err(failure) => Err(failure),
            };
            if let Err(failure) = &compared {
                let (subscription, error) = (due.subscription.id, failure.chain());
                tracing::error!(%subscription, error, "a subscription cannot be compared with its event");
            }
            outcome = outcome.and(compared);
        }
    }
}

/// Whether no photo of an event waits for its indexing.
async fn is_settled(app: &App, events: &mut HashMap<EventId, bool>, id: EventId) -> Result<bool> {
    if let Some(known) = events.get(&id) {
        return Ok(*known);
    }
    let event = storage::events::by_id(&app.db, id).await?;
    // What is held keeps nobody waiting.
    let is_settled = event.is_none_or(|event| event.without_held().indexing.waiting() == 0);
    events.insert(id, is_settled);
    Ok(is_settled)
}

async fn enqueue_if_new(app: &App, due: &Due, is_settled: bool) -> Result<()> {
    let (subscription, now) = (&due.subscription, app.now());
    if !subscription.recent_mails.allows(now) {
        return Ok(());
    }
    let found = find(app, subscription).await?;
    if found.as_ref().is_some_and(|found| !found.new.is_empty()) {
        let since = subscription.new_since.unwrap_or(now);
        if !is_settled && now < since.plus(SETTLING_TIME) {
            return Ok(storage::guests::subscriptions::mark_new(&app.db, subscription.id, now).await?);
        }
    } else {
        let waits = storage::guests::subscriptions::awaits_completion(&app.db, subscription.id).await?;
        // That no photo shows the guest is known once all are searchable.
        if waits && !is_settled {
            return Ok(());
        }
        if !waits || !found.is_some_and(|found| found.known.is_empty()) {
            storage::guests::subscriptions::mark_checked(&app.db, subscription.id, due.revision).await?;
            if waits {
                // Who has seen all photos of theirs knows them; who cannot be looked for is told nothing that may be wrong.
                storage::guests::subscriptions::end_wait_for_completion(&app.db, subscription.id, now)
                    .await?;
            }
            return Ok(());
        }
    }
    let mut tx = app.begin().await?;
    let job = app.id::<JobId>();
    if storage::guests::subscriptions::begin_mail(&mut tx, due, job).await? {
        tx.enqueue_as(job, &Job::TellGuest { subscription: subscription.id }).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// What a search with a subscription's template finds now, each with the face by which it was found.
struct Found {
    /// Photos that the guest does not know, best match first.
    new: Vec<(PhotoId, FaceId)>,
    /// The others but for those that show somebody else.
    known: Vec<(PhotoId, FaceId)>,
}

/// None when the template cannot be compared any more: it was made with another model pack, or its event is closed.
async fn find(app: &App, subscription: &Subscription) -> Result<Option<Found>> {
    let (id, event) = (subscription.id, subscription.event);
    let Some(key) = Key::of(app, event, Purpose::Subscriptions).await? else { return Ok(None) };
    let template = Template::open(&key, event, Holder::Subscription(id), &subscription.template)
        .ok_or_else(|| Failure::Internal(format!("the template of subscription {id} cannot be decrypted")))?;
    let (person, strictness) = (template.descriptions(app), template.strictness);
    if person.current.is_empty() && person.previous.is_empty() {
        tracing::warn!(subscription = %id, "a subscription was made with another model pack and finds nothing");
        return Ok(None);
    }
    let matches = matching::photos(app, Scope::Event(event), &person, HashSet::new(), strictness).await?;
    let known = storage::guests::subscriptions::known_photos(&app.db, id).await?;
    let hidden: HashSet<PhotoId> =
        known.iter().filter(|known| known.hidden).map(|known| known.photo).collect();
    let known: HashSet<PhotoId> = known.into_iter().map(|known| known.photo).collect();
    let matches = matches.into_iter().map(|matched| (matched.photo, matched.face));
    let matches = matches.filter(|(photo, _)| !hidden.contains(photo));
    let (known, new) = matches.partition(|(photo, _)| known.contains(photo));
    Ok(Some(Found { new, known }))
}

/// The job of [`enqueue_due`]: mails a link to all photos of the guest, the new ones first; to a guest without a photo, once, that the
/// event is complete.
///
/// The mail counts before it is sent, so that a process that is killed in between never sends more than the limit; it is
/// sent again when the limit allows it.
pub(crate) async fn tell(app: &App, id: SubscriptionId) -> Result<()> {
    let subscription = storage::guests::subscriptions::by_id(&app.db, id).await?;
    let Some(subscription) = subscription.filter(|found| found.confirmed_at.is_some()) else {
        return Ok(());
    };
    let event = storage::events::by_id(&app.db, subscription.event).await?;
    let Some(event) = event.filter(Event::is_open) else { return Ok(()) };
    let counted = RecentMails::after(app.now());
    let may_mail = are_offered(app, &event) && subscription.recent_mails.allows(app.now());
    if !may_mail {
        return Ok(storage::guests::subscriptions::recheck(&app.db, id).await?);
    }
    let waits = storage::guests::subscriptions::awaits_completion(&app.db, id).await?;
    let Some(found) = find(app, &subscription).await? else { return Ok(()) };
    let is_complete = waits && found.known.is_empty() && event.indexing.waiting() == 0;
    if found.new.is_empty() && !is_complete {
        return Ok(());
    }
    if !storage::guests::subscriptions::set_recent_mails(&app.db, id, &subscription.recent_mails, &counted)
        .await?
    {
        return Ok(storage::guests::subscriptions::recheck(&app.db, id).await?);
    }
    let sent = match found.new.is_empty() {
        true => send_completion(app, &event, &subscription).await.map(|()| None),
        false => send(app, &event, &subscription, &found).await.map(Some),
    };
    match sent {
        Ok(results) => {
            let told: Vec<PhotoId> = found.new.iter().map(|(photo, _)| *photo).collect();
            let mut tx = app.begin().await?;
            if let Some(results) = results {
                storage::guests::subscriptions::finish_mail(&mut tx, id, &told, &results).await?;
            }
            if waits {
                storage::guests::subscriptions::end_wait_for_completion(&mut *tx, id, app.now()).await?;
            }
            tx.commit().await
        }
        Err(failure) => {
            // Nothing was sent, so the next attempt need not wait, unless it would be refused as this one was.
            let before = &subscription.recent_mails;
            let after = if is_permanent(&failure) { before.refused(app.now()) } else { before.clone() };
            storage::guests::subscriptions::set_recent_mails(&app.db, id, &counted, &after).await?;
            Err(failure)
        }
    }
}

/// Has another job tell what one could not in all its attempts, also where the event does not change any more. An address that has
/// refused its mail is tried again when there is something new to tell, a day later at the earliest.
pub(crate) async fn try_anew(app: &App, id: SubscriptionId) -> Result<()> {
    let subscription = storage::guests::subscriptions::by_id(&app.db, id).await?;
    if subscription.is_some_and(|found| found.recent_mails.allows(app.now())) {
        storage::guests::subscriptions::recheck(&app.db, id).await?;
    }
    Ok(())
}

/// Sends the mail, and answers the hash of the token of its results.
async fn send(app: &App, event: &Event, to: &Subscription, found: &Found) -> Result<TokenHash> {
    let site = app.for_guests_of(event.owner).await?;
    let all = found.new.iter().chain(&found.known).copied().collect();
    let results = archives::create_unasked(&site, event, all, RESULTS_LIFETIME).await?;
    let unsubscribe = unsubscribe_link(app, to).await?;
    let news = News { count: found.new.len(), results: &results, unsubscribe: &unsubscribe };
    let studio = studios::of_event(app, event).await?;
    let mail = mails::new_photos(&site.settings, event, studio.as_ref(), to, &news)?;
    operations::mails::deliver(app, &mail).await?;
    Ok(site.hash_token(&results))
}

/// Sends the mail to a guest of whom no photo was found.
async fn send_completion(app: &App, event: &Event, to: &Subscription) -> Result<()> {
    let site = app.for_guests_of(event.owner).await?;
    let unsubscribe = unsubscribe_link(app, to).await?;
    let studio = studios::of_event(app, event).await?;
    let mail = mails::completion(&site.settings, event, studio.as_ref(), to, &unsubscribe)?;
    operations::mails::deliver(app, &mail).await
}

/// A token that ends a subscription.
async fn unsubscribe_link(app: &App, to: &Subscription) -> Result<Token> {
    let unsubscribe = app.randomness.token();
    let now = app.now();
    let link = NewLink {
        hash: unsubscribe.hash(),
        purpose: LinkPurpose::Unsubscribe,
        subscription: to.id,
        created_at: now,
        expires_at: now.plus(UNSUBSCRIBE_LIFETIME),
    };
    let mut tx = app.begin().await?;
    if !storage::guests::subscriptions::add_link(&mut tx, &link).await? {
        return Err(Failure::Internal(String::from("the subscription ended before its mail was sent")));
    }
    tx.commit().await?;
    Ok(unsubscribe)
}
