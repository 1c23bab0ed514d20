//! Invitations to the team of an event: mailed, looked at, and answered.

use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, User};
use domain::events::Event;
use domain::team::{INVITATION_LIFETIME, Invitation, MemberRole, Right, Role, TEAM_MAX};
use domain::{EventId, InvitationId, Job, Refusal, Timestamp};
use storage::Executor;

use super::{Listed, begin};
use crate::operations::mails;
use crate::operations::mails::team::Between;
use crate::operations::runtime::limits::{self, Limit, Subject};
use crate::team::rights::{self, Granted};
use crate::{App, Result, events};

/// Invites somebody by mail, whether or not the address has an account. The same address again gets another link and role; its
/// former link ends.
///
/// # Errors
/// The refusals of the fields, [`Refusal::ManagersOnly`], [`Refusal::OwnerOnly`] for a manager, [`Refusal::InvitationToYourself`],
/// [`Refusal::AlreadyInTeam`], [`Refusal::TeamFull`], [`Refusal::TooMany`], and those of the event.
pub async fn create(app: &App, caller: &User, event: EventId, email: &str, role: &str) -> Result<Listed> {
    let Granted { role: own_role, .. } = rights::open_event(app, caller, event, Right::Manage).await?;
    let role = MemberRole::parse(role)?;
    own_role.check_over(role)?;
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    if email.key() == caller.email.key() {
        return Err(Refusal::InvitationToYourself.into());
    }
    // The caller is shown these addresses: nothing is told of any other.
    let members = storage::team::members(&app.db, event).await?;
    if members.iter().any(|member| member.email.key() == email.key()) {
        return Err(Refusal::AlreadyInTeam.into());
    }
    let invitations = storage::team::invitations(&app.db, event).await?;
    let before = invitations.iter().find(|invitation| invitation.email.key() == email.key());
    if let Some(before) = before {
        // An invitation to be a manager is the owner's to change.
        own_role.check_over(before.role)?;
    }
    let now = app.now();
    check_room(&app.db, event, before, now).await?;
    let subjects = [(Subject::Account(caller.id), 1), (Subject::Recipient(email.as_str()), RECIPIENT_WEIGHT)];
    limits::check(app, Limit::Invitations, &subjects).await?;
    let mut invitation = Invitation {
        id: app.id::<InvitationId>(),
        event,
        email,
        role,
        invited_by: caller.id,
        sent_at: now,
        expires_at: now.plus(INVITATION_LIFETIME),
    };
    let mut tx = begin(app, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    // Again, now that no other invitation and no end of the caller's role comes in between.
    if own_role != Role::Owner {
        let role = storage::team::role(&mut *tx, event, caller.id).await?.ok_or(Refusal::EventNotFound)?;
        Role::Member(role).check(Right::Manage)?;
    }
    let invitations = storage::team::invitations(&mut *tx, event).await?;
    let before = invitations.iter().find(|before| before.email.key() == invitation.email.key());
    if let Some(before) = before {
        own_role.check_over(before.role)?;
    }
    check_room(&mut *tx, event, before, now).await?;
    invitation.id = storage::team::invite(&mut tx, &invitation).await?;
    tx.enqueue(&Job::SendInvitation { invitation: invitation.id }).await?;
    tx.commit().await?;
    Ok(Listed { invitation, inviter: Some(caller.name.clone()) })
}

/// Checks that a team has room for somebody, who may have been invited `before`.
async fn check_room(
    db: &dyn Executor,
    event: EventId,
    before: Option<&Invitation>,
    now: Timestamp,
) -> Result<()> {
    let is_counted = before.is_some_and(|before| now < before.expires_at);
    let most = i64::try_from(TEAM_MAX).unwrap_or(i64::MAX);
    if !is_counted && storage::team::count(db, event, now).await? >= most {
        return Err(Refusal::TeamFull.into());
    }
    Ok(())
}

/// As how many of one account's invitations a day one counts for its recipient, so that nobody is mailed to by many accounts.
const RECIPIENT_WEIGHT: u32 = 4;

/// Takes an invitation back.
///
/// # Errors
/// [`Refusal::InvitationNotFound`], [`Refusal::OwnerOnly`] for a manager's, [`Refusal::ManagersOnly`], and those of the event.
pub async fn withdraw(app: &App, caller: &User, event: EventId, id: &str) -> Result<()> {
    let Granted { role, .. } = rights::event(app, caller, event, Right::Manage).await?;
    let id: InvitationId = id.parse().map_err(|_| Refusal::InvitationNotFound)?;
    let invitation = storage::team::invitation(&app.db, id).await?;
    let invitation = invitation.filter(|invitation| invitation.event == event);
    role.check_over(invitation.ok_or(Refusal::InvitationNotFound)?.role)?;
    let mut tx = app.begin().await?;
    if !storage::team::end_invitation(&mut tx, id).await? {
        return Err(Refusal::InvitationNotFound.into());
    }
    tx.commit().await
}

/// The job of [`create`]: makes a link and mails it. The former link of the same invitation ends.
pub(crate) async fn send(app: &App, id: InvitationId) -> Result<()> {
    let Some(invitation) = storage::team::invitation(&app.db, id).await? else { return Ok(()) };
    let event = storage::events::by_id(&app.db, invitation.event).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let owner = storage::accounts::users::by_id(&app.db, event.owner).await?;
    let inviter = storage::accounts::users::by_id(&app.db, invitation.invited_by).await?;
    let (Some(owner), Some(inviter)) = (owner, inviter) else { return Ok(()) };
    let token = app.randomness.token();
    let mut tx = app.begin().await?;
    if !storage::team::set_token(&mut tx, id, &token.hash()).await? {
        return Ok(());
    }
    tx.commit().await?;
    let mail = mails::team::invitation(
        &app.settings,
        &invitation,
        &event,
        Between { owner: &owner, inviter: &inviter },
        &token,
    )?;
    mails::deliver(app, &mail).await
}

/// What an invitation is to.
pub struct Offer {
    /// The invitation.
    pub invitation: Invitation,
    /// The event.
    pub event: Event,
    /// Whose event it is, and whose credits pay.
    pub owner: String,
    /// Who has invited; none when that account is gone.
    pub inviter: Option<String>,
}

/// The invitation of a link, and its event.
async fn find(app: &App, token: &str) -> Result<(Invitation, Event)> {
    let invitation = storage::team::by_token(&app.db, &hash_token(token.trim())).await?;
    let invitation = invitation.filter(|invitation| app.now() < invitation.expires_at);
    let invitation = invitation.ok_or(Refusal::InvitationExpired)?;
    let event = storage::events::by_id(&app.db, invitation.event).await?.filter(Event::is_open);
    Ok((invitation, event.ok_or(Refusal::InvitationExpired)?))
}

/// What the invitation of a link is to; whoever has the link may know.
///
/// # Errors
/// [`Refusal::InvitationExpired`].
pub async fn look(app: &App, token: &str) -> Result<Offer> {
    let (invitation, event) = find(app, token).await?;
    let accounts = storage::team::names(&app.db, &[event.owner, invitation.invited_by]).await?;
    let name = |id| accounts.iter().find(|named| named.id == id).map(|named| named.name.clone());
    let (owner, inviter) = (name(event.owner).unwrap_or_default(), name(invitation.invited_by));
    Ok(Offer { invitation, event, owner, inviter })
}

/// Makes the caller a member, whichever address their account has: the link was mailed to somebody who has it, or has passed it
/// on. The owner is told.
///
/// # Errors
/// [`Refusal::InvitationExpired`], or [`Refusal::AlreadyInTeamYourself`].
pub async fn accept(app: &App, caller: &User, token: &str) -> Result<events::Listed> {
    let (invitation, event) = find(app, token).await?;
    if rights::role(app, caller.id, &event).await?.is_some() {
        return Err(Refusal::AlreadyInTeamYourself.into());
    }
    let mut tx = begin(app, event.id).await?.ok_or(Refusal::InvitationExpired)?;
    // Of two who accept, or of one who accepts what is withdrawn or sent again meanwhile, one comes first.
    let role = storage::team::take_invitation(&mut tx, invitation.id, &hash_token(token.trim())).await?;
    let role = role.ok_or(Refusal::InvitationExpired)?;
    if !storage::team::add(&mut tx, event.id, caller.id, role, app.now()).await? {
        return Err(Refusal::AlreadyInTeamYourself.into());
    }
    tx.enqueue(&Job::TellOfMember { event: event.id, user: caller.id }).await?;
    tx.commit().await?;
    tracing::info!(event = %event.id, member = %caller.id, role = role.as_str(), "an invitation was accepted");
    events::Listed::of(app, rights::event(app, caller, event.id, Right::Upload).await?).await
}

/// Ends the invitation of a link, for whoever has the link.
///
/// # Errors
/// [`Refusal::InvitationExpired`].
pub async fn decline(app: &App, token: &str) -> Result<()> {
    let (invitation, _) = find(app, token).await?;
    let mut tx = app.begin().await?;
    let role = storage::team::take_invitation(&mut tx, invitation.id, &hash_token(token.trim())).await?;
    role.ok_or(Refusal::InvitationExpired)?;
    tx.commit().await
}
