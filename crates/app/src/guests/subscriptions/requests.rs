//! What guests and photographers ask for.

use domain::accounts::EmailAddress;
use domain::accounts::tokens::{TokenHash, hash_token};
use domain::events::Event;
use domain::events::publication::Publication;
use domain::guests::subscriptions::{
    CONFIRMATION_LIFETIME, Language, LinkPurpose, RecentMails, Subscription, UNCONFIRMED_PER_ADDRESS,
    parse_notice_version,
};
use domain::{Job, PhotoId, Refusal, SubscriptionId};
use storage::guests::subscriptions::{MailedLink, NewLink};

use crate::events::access::{self, Visitor};
use crate::faces::sealing::{Key, Purpose};
use crate::faces::templates::{Holder, Search, Template};
use crate::guests::{archives, mails};
use crate::operations;
use crate::studio::studios;
use crate::{App, Result};

/// A guest's request to be told of new photos.
pub struct NewSubscription {
    /// The token of the search.
    pub token: String,
    /// The address, as entered.
    pub email: String,
    /// The version of the notice that the guest has agreed to.
    pub notice_version: String,
    /// The language that the guest reads (BCP 47).
    pub language: String,
}

/// Whether guests of an event can ask to be told of new photos.
pub fn are_offered(app: &App, event: &Event) -> bool {
    app.settings.tells_guests && event.flags.tells_guests && event.is_open()
}

/// The token by which a search can be made a subscription; none where that is not offered, or no more photos are expected. Only this server can read it.
pub(crate) async fn search_token(
    app: &App,
    event: &Event,
    template: Template,
    download_token: Option<&str>,
) -> Result<Option<String>> {
    if !are_offered(app, event) || event.publication == Publication::Complete {
        return Ok(None);
    }
    let Some(key) = Key::of_open(app, event.id, Purpose::Subscriptions).await? else { return Ok(None) };
    // As long as its results can be opened again.
    let download = download_token.map(|token| app.hash_token(token));
    let search = Search::new(app, event.id, archives::LIFETIME, download, template);
    search.seal(app, &key).map(Some)
}

/// Stores an unconfirmed subscription and mails its link. The answer is the same whatever is known of the address.
///
/// # Errors
/// The refusals of the fields, [`Refusal::SubscriptionTokenExpired`], [`Refusal::EventPinRequired`], or
/// [`Refusal::SubscriptionsNotOffered`].
pub async fn subscribe(app: &App, visitor: &Visitor, new: NewSubscription) -> Result<()> {
    if new.email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(&new.email)?;
    let notice_version = parse_notice_version(&new.notice_version)?;
    let event = Search::event_of(&new.token).ok_or(Refusal::SubscriptionTokenExpired)?;
    let key = Key::of(app, event, Purpose::Subscriptions).await?.ok_or(Refusal::SubscriptionTokenExpired)?;
    let search = Search::open(app, &key, event, &new.token).ok_or(Refusal::SubscriptionTokenExpired)?;
    // Of a page that was opened before the model pack changed: a search now knows the guest by both.
    if search.template.by(app.engine.pack_id()).is_empty() {
        return Err(Refusal::SubscriptionTokenExpired.into());
    }
    let event = access::by_id(app, visitor, event).await?.filter(|event| are_offered(app, event));
    let event = event.ok_or(Refusal::SubscriptionsNotOffered)?;
    // Anybody can enter anybody's address: it gets few mails that nobody has asked for.
    if storage::guests::subscriptions::count_unconfirmed(&app.db, &email).await? >= UNCONFIRMED_PER_ADDRESS {
        tracing::info!(event = %event.id, "an address has enough subscriptions that wait for their confirmation");
        return Ok(());
    }
    let (known, hidden) = known_photos(app, &search).await?;
    let id = app.id::<SubscriptionId>();
    let subscription = Subscription {
        id,
        event: event.id,
        email,
        language: Language::parse(&new.language),
        notice_version,
        template: search.template.seal(app, &key, event.id, Holder::Subscription(id))?,
        created_at: app.now(),
        confirmed_at: None,
        checked_revision: -1,
        new_since: None,
        recent_mails: RecentMails::default(),
        last_download: search.download,
    };
    let mut tx = app.begin().await?;
    if !storage::guests::subscriptions::create(&mut tx, &subscription, &known, &hidden).await? {
        return Err(Refusal::SubscriptionsNotOffered.into());
    }
    tx.enqueue(&Job::SendSubscriptionConfirmation { subscription: id }).await?;
    tx.commit().await
}

/// The photos that a search found, and those of them that show somebody else, as the guest said.
async fn known_photos(app: &App, search: &Search) -> Result<(Vec<PhotoId>, Vec<PhotoId>)> {
    let Some(hash) = &search.download else { return Ok((Vec::new(), Vec::new())) };
    let found = storage::guests::archives::find(&app.db, hash).await?;
    // It is deleted with the token of the search, whose time is over then too.
    let found = found.filter(|found| found.event == search.event).ok_or(Refusal::SubscriptionTokenExpired)?;
    Ok((found.photos, storage::faces::not_me_reports::of_download(&app.db, hash).await?))
}

/// The job of [`subscribe`]: creates a link and mails it. As for accounts, only the link's hash is stored.
pub(crate) async fn send_confirmation(app: &App, id: SubscriptionId) -> Result<()> {
    let subscription = storage::guests::subscriptions::by_id(&app.db, id).await?;
    let Some(subscription) = subscription.filter(|waiting| waiting.confirmed_at.is_none()) else {
        return Ok(());
    };
    let event = storage::events::by_id(&app.db, subscription.event).await?;
    let Some(event) = event.filter(Event::is_open) else { return Ok(()) };
    let site = app.for_guests_of(event.owner).await?;
    let token = app.randomness.token();
    let link = NewLink {
        hash: site.hash_token(&token.reveal()),
        purpose: LinkPurpose::Confirm,
        subscription: id,
        created_at: app.now(),
        expires_at: subscription.created_at.plus(CONFIRMATION_LIFETIME),
    };
    let mut tx = app.begin().await?;
    if !storage::guests::subscriptions::add_link(&mut tx, &link).await? {
        return Ok(());
    }
    tx.commit().await?;
    let studio = studios::of_event(app, &event).await?;
    let mail = mails::confirmation(&site.settings, &event, studio.as_ref(), &subscription, &token)?;
    operations::mails::deliver(app, &mail).await
}

/// Confirms a subscription. Idempotent.
///
/// # Errors
/// [`Refusal::SubscriptionLinkUnknown`] or [`Refusal::SubscriptionLinkExpired`].
pub async fn confirm(app: &App, token: &str) -> Result<()> {
    let link = link(app, &app.hash_token(token.trim()), LinkPurpose::Confirm).await?;
    let id = link.subscription.ok_or(Refusal::SubscriptionLinkExpired)?;
    let subscription = storage::guests::subscriptions::by_id(&app.db, id).await?;
    let subscription = subscription.ok_or(Refusal::SubscriptionLinkExpired)?;
    // A deleted event that can be restored keeps its subscriptions.
    let event = storage::events::by_id(&app.db, subscription.event).await?;
    if !event.is_some_and(|event| event.is_open()) {
        return Err(Refusal::SubscriptionLinkExpired.into());
    }
    if subscription.confirmed_at.is_some() {
        return Ok(());
    }
    if link.expires_at <= app.now() {
        return Err(Refusal::SubscriptionLinkExpired.into());
    }
    let mut tx = app.begin().await?;
    storage::guests::subscriptions::confirm(&mut tx, id, app.now()).await?;
    tx.commit().await
}

/// Ends a subscription and deletes its template. Idempotent.
///
/// # Errors
/// [`Refusal::SubscriptionLinkUnknown`].
pub async fn unsubscribe(app: &App, token: &str) -> Result<()> {
    // It opens nothing, and a mail of a host that its studio has given up is to end the subscription all the same.
    let link = link(app, &hash_token(token.trim()), LinkPurpose::Unsubscribe).await?;
    let Some(id) = link.subscription else { return Ok(()) };
    let mut tx = app.begin().await?;
    storage::guests::subscriptions::delete(&mut tx, id).await?;
    tx.commit().await
}

async fn link(app: &App, hash: &TokenHash, purpose: LinkPurpose) -> Result<MailedLink> {
    let link = storage::guests::subscriptions::link(&app.db, hash).await?;
    link.filter(|link| link.purpose == purpose).ok_or_else(|| Refusal::SubscriptionLinkUnknown.into())
}
