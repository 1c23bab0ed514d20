//! Who works on an event: its team, as the owner and managers see and change it (decision 0057).

pub(crate) mod rights;

pub mod invitations;

use domain::accounts::User;
use domain::events::Event;
use domain::team::{Invitation, MemberRole, Right, Role};
use domain::{EventId, Refusal, UserId};

use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::team::rights::Granted;
use crate::{App, Result};

pub use storage::team::{ListedMember as Member, Named};

/// The team of an event.
pub struct Team {
    /// Whose event it is.
    pub owner: String,
    /// How many photos of the event the owner has uploaded that are there.
    pub photos_of_owner: i64,
    /// The members, in the order in which they came.
    pub members: Vec<Member>,
    /// Who was asked and has not answered, the last first.
    pub invitations: Vec<Listed>,
}

/// An invitation, and who has sent it.
pub struct Listed {
    /// The invitation.
    pub invitation: Invitation,
    /// The name of whoever has invited; none when that account is gone.
    pub inviter: Option<String>,
}

/// The team of an event that the caller manages.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn of_event(app: &App, caller: &User, event: EventId) -> Result<Team> {
    let Granted { event, .. } = rights::event(app, caller, event, Right::Manage).await?;
    let invitations = storage::team::invitations(&app.db, event.id).await?;
    let mut accounts: Vec<UserId> = invitations.iter().map(|invitation| invitation.invited_by).collect();
    accounts.push(event.owner);
    accounts.sort_unstable();
    accounts.dedup();
    let named = storage::team::names(&app.db, &accounts).await?;
    let name = |id: UserId| named.iter().find(|named| named.id == id).map(|named| named.name.clone());
    let by_members = storage::team::uploads(&app.db, event.id).await?;
    Ok(Team {
        owner: name(event.owner).unwrap_or_default(),
        photos_of_owner: (event.indexing.total - by_members).max(0),
        members: storage::team::members(&app.db, event.id).await?,
        invitations: invitations
            .into_iter()
            .map(|invitation| Listed { inviter: name(invitation.invited_by), invitation })
            .collect(),
    })
}

/// The names of those of these accounts that are not closed.
///
/// # Errors
/// When the database fails.
pub async fn names(app: &App, accounts: &[UserId]) -> Result<Vec<Named>> {
    Ok(storage::team::names(&app.db, accounts).await?)
}

/// Changes what a member may do. Whoever manages the event no more loses the invitations that they have sent, and the login for
/// cameras that they have made.
///
/// # Errors
/// [`Refusal::OwnerOnly`], [`Refusal::TeamRoleUnknown`], [`Refusal::MemberNotFound`], and those of the event.
pub async fn set_role(app: &App, caller: &User, event: EventId, member: &str, role: &str) -> Result<Member> {
    rights::event(app, caller, event, Right::Own).await?;
    let role = MemberRole::parse(role)?;
    let member: UserId = member.parse().map_err(|_| Refusal::MemberNotFound)?;
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?;
    let before = storage::team::members(&mut *tx, event).await?;
    let before = before.into_iter().find(|found| found.user == member).ok_or(Refusal::MemberNotFound)?.role;
    if !storage::team::set_role(&mut tx, event, member, role).await? {
        return Err(Refusal::MemberNotFound.into());
    }
    if !Role::Member(role).has(Right::Manage) {
        end_what_was_managed(&mut tx, event, member, before).await?;
    }
    tx.commit().await?;
    tracing::info!(%event, %member, role = role.as_str(), "a member's role was changed");
    let members = storage::team::members(&app.db, event).await?;
    members.into_iter().find(|found| found.user == member).ok_or_else(|| Refusal::MemberNotFound.into())
}

/// Ends somebody's membership. Their photos stay.
///
/// # Errors
/// [`Refusal::MemberNotFound`], [`Refusal::OwnerOnly`] for a manager's, [`Refusal::ManagersOnly`], and those of the event.
pub async fn remove(app: &App, caller: &User, event: EventId, member: &str) -> Result<()> {
    let Granted { role, .. } = rights::event(app, caller, event, Right::Manage).await?;
    let member: UserId = member.parse().map_err(|_| Refusal::MemberNotFound)?;
    let members = storage::team::members(&app.db, event).await?;
    let found = members.iter().find(|found| found.user == member).ok_or(Refusal::MemberNotFound)?;
    role.check_over(found.role)?;
    end(app, event, member).await?;
    tracing::info!(%event, %member, "a member was removed from an event's team");
    Ok(())
}

/// Ends the caller's own membership. Their photos stay.
///
/// # Errors
/// [`Refusal::OwnerCannotLeave`], or [`Refusal::EventNotFound`].
pub async fn leave(app: &App, caller: &User, event: EventId) -> Result<()> {
    if rights::event(app, caller, event, Right::Upload).await?.role == Role::Owner {
        return Err(Refusal::OwnerCannotLeave.into());
    }
    end(app, event, caller.id).await?;
    tracing::info!(%event, member = %caller.id, "a member has left an event's team");
    Ok(())
}

async fn end(app: &App, event: EventId, member: UserId) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?;
    let before = storage::team::remove(&mut tx, event, member).await?.ok_or(Refusal::MemberNotFound)?;
    end_what_was_managed(&mut tx, event, member, before).await?;
    tx.commit().await
}

/// Ends what somebody who was this has left that lets people or cameras in. The transaction has the row of the event: an invitation
/// that they send at this moment comes before, or is refused.
async fn end_what_was_managed(tx: &mut Tx, event: EventId, member: UserId, before: MemberRole) -> Result<()> {
    storage::team::delete_invitations_by(tx, event, member).await?;
    if Role::Member(before).has(Right::Manage) {
        storage::uploads::ftp::delete_of_manager(tx, event, member).await?;
    }
    Ok(())
}

/// A transaction that has the row of an open event, so that its deletion comes before or after.
async fn begin(app: &App, event: EventId) -> Result<Option<Tx>> {
    let mut tx = app.begin().await?;
    Ok(storage::events::changes::lock(&mut tx, event).await?.map(|_| tx))
}

/// The job that follows the acceptance of an invitation.
pub(crate) async fn tell_owner(app: &App, event: EventId, member: UserId) -> Result<()> {
    let event = storage::events::by_id(&app.db, event).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let Some(owner) = storage::accounts::users::by_id(&app.db, event.owner).await? else { return Ok(()) };
    let members = storage::team::members(&app.db, event.id).await?;
    // Nobody is told of somebody who has left meanwhile.
    let Some(member) = members.into_iter().find(|found| found.user == member) else { return Ok(()) };
    mails::deliver(app, &mails::team::accepted(&app.settings, &owner, &event, &member)?).await
}
