//! Who works on an event beside its owner, and who was asked to.

use domain::accounts::EmailAddress;
use domain::accounts::tokens::TokenHash;
use domain::team::{Invitation, MemberRole};
use domain::{EventId, InvitationId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// A member as the team is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMember {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub name: String,
    /// The address in force.
    pub email: EmailAddress,
    /// As what.
    pub role: MemberRole,
    /// Since when.
    pub since: Timestamp,
    /// How many photos of the event they have uploaded that are there.
    pub photos: i64,
}

row! {
    pub(crate) struct ListedMemberRow {
        user_id: String,
        member_name: String,
        email: String,
        role: String,
        since: i64,
        photos: i64,
    }
}

fn role_of(text: &str, column: &'static str) -> Result<MemberRole> {
    decode::known(MemberRole::from_stored(text), column)
}

impl FromColumns for ListedMember {
    type Columns = ListedMemberRow;

    fn from_columns(row: ListedMemberRow) -> Result<Self> {
        Ok(Self {
            user: decode::id(&row.user_id, "event_members.user_id")?,
            name: row.member_name,
            email: EmailAddress::from_trusted(row.email),
            role: role_of(&row.role, "event_members.role")?,
            since: Timestamp::from_millis(row.since),
            photos: row.photos,
        })
    }
}

/// An event that an account is a member of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// Which.
    pub event: EventId,
    /// As what.
    pub role: MemberRole,
    /// Since when.
    pub since: Timestamp,
    /// What the event is called.
    pub event_name: String,
    /// Whose it is.
    pub owner_name: String,
}

row! {
    pub(crate) struct MembershipRow {
        event_id: String,
        role: String,
        since: i64,
        event_name: String,
        owner_name: String,
    }
}

impl FromColumns for Membership {
    type Columns = MembershipRow;

    fn from_columns(row: MembershipRow) -> Result<Self> {
        Ok(Self {
            event: decode::id(&row.event_id, "event_members.event_id")?,
            role: role_of(&row.role, "event_members.role")?,
            since: Timestamp::from_millis(row.since),
            event_name: row.event_name,
            owner_name: row.owner_name,
        })
    }
}

row! {
    pub(crate) struct InvitationRow {
        id: String,
        event_id: String,
        email: String,
        role: String,
        invited_by: String,
        sent_at: i64,
        expires_at: i64,
    }
}

impl FromColumns for Invitation {
    type Columns = InvitationRow;

    fn from_columns(row: InvitationRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "event_invitations.id")?,
            event: decode::id(&row.event_id, "event_invitations.event_id")?,
            email: EmailAddress::from_trusted(row.email),
            role: role_of(&row.role, "event_invitations.role")?,
            invited_by: decode::id(&row.invited_by, "event_invitations.invited_by")?,
            sent_at: Timestamp::from_millis(row.sent_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        })
    }
}

/// An account's id and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The id.
    pub id: UserId,
    /// The name.
    pub name: String,
}

row! {
    pub(crate) struct NamedRow {
        id: String,
        name: String,
    }
}

impl FromColumns for Named {
    type Columns = NamedRow;

    fn from_columns(row: NamedRow) -> Result<Self> {
        Ok(Self { id: decode::id(&row.id, "users.id")?, name: row.name })
    }
}

macro_rules! invitations {
    ($rest:literal) => {
        concat!(
            "SELECT id, event_id, email, role, invited_by, sent_at, expires_at FROM event_invitations ",
            $rest
        )
    };
}

/// What an account is to an event that is not its own; none for a locked or closed one.
pub async fn role(db: &dyn Executor, event: EventId, user: UserId) -> Result<Option<MemberRole>> {
    let role = fetch_optional!(
        db,
        String,
        "SELECT role FROM event_members JOIN users ON users.id = user_id
         WHERE event_id = $1 AND user_id = $2 AND locked_at IS NULL AND closed_at IS NULL",
        event,
        user,
    )?;
    role.map(|role| role_of(&role, "event_members.role")).transpose()
}

/// The members of an event, in the order in which they came.
pub async fn members(db: &dyn Executor, event: EventId) -> Result<Vec<ListedMember>> {
    fetch_all!(
        db,
        ListedMember,
        "SELECT user_id, users.name AS member_name, users.email AS email, role, event_members.created_at AS since,
             (SELECT COUNT(*) FROM photos
                 WHERE photos.event_id = event_members.event_id AND uploader_id = event_members.user_id) AS photos
         FROM event_members JOIN users ON users.id = user_id
         WHERE event_members.event_id = $1 AND closed_at IS NULL ORDER BY event_members.created_at, user_id",
        event,
    )
}

/// How many photos of an event its owner has not uploaded.
pub async fn uploads(db: &dyn Executor, event: EventId) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM photos WHERE event_id = $1 AND uploader_id IS NOT NULL", event,)
}

/// The events that an account is a member of, in no order.
pub async fn memberships(db: &dyn Executor, user: UserId) -> Result<Vec<Membership>> {
    fetch_all!(
        db,
        Membership,
        "SELECT event_id, role, event_members.created_at AS since, events.name AS event_name, users.name AS owner_name
         FROM event_members JOIN events ON events.id = event_id JOIN users ON users.id = owner_id
         WHERE user_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL",
        user,
    )
}

/// The names of those of these accounts that are not closed, in no order.
pub async fn names(db: &dyn Executor, users: &[UserId]) -> Result<Vec<Named>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let mut statement = Statement::built("SELECT id, name FROM users WHERE closed_at IS NULL AND id IN ");
    statement.push_list(users);
    statement.fetch_all(db.reader()).await
}

/// How many members an event has, with the invitations that can still be accepted.
pub async fn count(db: &dyn Executor, event: EventId, now: Timestamp) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT (SELECT COUNT(*) FROM event_members WHERE event_id = $1)
             + (SELECT COUNT(*) FROM event_invitations WHERE event_id = $1 AND expires_at > $2)",
        event,
        now,
    )
}

/// Makes an account a member of an event; false when it is one.
pub async fn add(
    tx: &mut Tx,
    event: EventId,
    user: UserId,
    role: MemberRole,
    now: Timestamp,
) -> Result<bool> {
    let added = execute!(
        tx,
        "INSERT INTO event_members (event_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_id, user_id) DO NOTHING",
        event,
        user,
        role,
        now,
    )?;
    Ok(added == 1)
}

/// Changes what a member may do; false when there is no such member.
pub async fn set_role(tx: &mut Tx, event: EventId, user: UserId, role: MemberRole) -> Result<bool> {
    let changed = execute!(
        tx,
        "UPDATE event_members SET role = $3 WHERE event_id = $1 AND user_id = $2",
        event,
        user,
        role,
    )?;
    Ok(changed == 1)
}

/// Ends a membership, and answers as what it was; none when there is none.
pub async fn remove(tx: &mut Tx, event: EventId, user: UserId) -> Result<Option<MemberRole>> {
    let role = fetch_optional!(
        tx,
        String,
        "DELETE FROM event_members WHERE event_id = $1 AND user_id = $2 RETURNING role",
        event,
        user,
    )?;
    role.map(|role| role_of(&role, "event_members.role")).transpose()
}

/// Stores an invitation and answers its id. An earlier one of the same address to the same event becomes this one and keeps
/// its id: its link ends.
pub async fn invite(tx: &mut Tx, invitation: &Invitation) -> Result<InvitationId> {
    fetch_one!(
        tx,
        InvitationId,
        "INSERT INTO event_invitations (id, event_id, email, email_key, role, invited_by, sent_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (event_id, email_key) DO UPDATE SET email = excluded.email, role = excluded.role,
             invited_by = excluded.invited_by, token_hash = NULL, sent_at = excluded.sent_at,
             expires_at = excluded.expires_at
         RETURNING id",
        invitation.id,
        invitation.event,
        invitation.email,
        invitation.email.key(),
        invitation.role,
        invitation.invited_by,
        invitation.sent_at,
        invitation.expires_at,
    )
}

/// Gives an invitation the token that is mailed next; one that was mailed before ends. False when the invitation is gone.
pub async fn set_token(tx: &mut Tx, id: InvitationId, hash: &TokenHash) -> Result<bool> {
    Ok(execute!(tx, "UPDATE event_invitations SET token_hash = $2 WHERE id = $1", id, hash)? == 1)
}

/// The invitations to an event, those that were sent last first, with those that have expired.
pub async fn invitations(db: &dyn Executor, event: EventId) -> Result<Vec<Invitation>> {
    fetch_all!(db, Invitation, invitations!("WHERE event_id = $1 ORDER BY sent_at DESC, id DESC"), event)
}

/// An invitation.
pub async fn invitation(db: &dyn Executor, id: InvitationId) -> Result<Option<Invitation>> {
    fetch_optional!(db, Invitation, invitations!("WHERE id = $1"), id)
}

/// The invitation whose newest token has this hash, expired or not.
pub async fn by_token(db: &dyn Executor, hash: &TokenHash) -> Result<Option<Invitation>> {
    fetch_optional!(db, Invitation, invitations!("WHERE token_hash = $1"), hash)
}

/// Deletes an invitation that is withdrawn; false when it is gone.
pub async fn end_invitation(tx: &mut Tx, id: InvitationId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM event_invitations WHERE id = $1", id)? == 1)
}

/// Deletes an invitation that is answered by the link with this hash, and answers as what it was; none when it is gone, or was sent
/// again: another link is good for it then, maybe as something else.
pub async fn take_invitation(tx: &mut Tx, id: InvitationId, hash: &TokenHash) -> Result<Option<MemberRole>> {
    let role = fetch_optional!(
        tx,
        String,
        "DELETE FROM event_invitations WHERE id = $1 AND token_hash = $2 RETURNING role",
        id,
        hash,
    )?;
    role.map(|role| role_of(&role, "event_invitations.role")).transpose()
}

/// Deletes the invitations to an event that somebody has sent, and answers their number.
pub async fn delete_invitations_by(tx: &mut Tx, event: EventId, inviter: UserId) -> Result<u64> {
    execute!(tx, "DELETE FROM event_invitations WHERE event_id = $1 AND invited_by = $2", event, inviter)
}

/// Deletes the invitations to whatever events that an account has sent, and answers their number.
pub async fn delete_all_invitations_by(tx: &mut Tx, inviter: UserId) -> Result<u64> {
    execute!(tx, "DELETE FROM event_invitations WHERE invited_by = $1", inviter)
}

/// Deletes the invitations that had expired by `before`, and answers their number.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM event_invitations WHERE expires_at <= $1", before)
}

/// Ends all memberships and invitations of an event that is being deleted.
pub async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(&mut *tx, "DELETE FROM event_members WHERE event_id = $1", event)?;
    delete_invitations_of(tx, event).await
}

/// Deletes the invitations of an event.
pub(crate) async fn delete_invitations_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "DELETE FROM event_invitations WHERE event_id = $1", event)?;
    Ok(())
}
