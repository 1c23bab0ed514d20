//! Teams of events, and invitations to them.

use app::App;
use app::team::{self, Listed, Member, invitations};
use axum::extract::State;
use axum::http::StatusCode;
use domain::team::{Invitation, MemberRole};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::TeamEventBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, RateLimited, Unavailable};
use crate::photos::selections::event_id;

/// What somebody can be invited as.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MemberRole)]
pub(crate) enum MemberRoleBody {
    /// Manages the event for its owner.
    Manager,
    /// Uploads photos, and sees their own.
    Contributor,
}

impl From<MemberRole> for MemberRoleBody {
    fn from(role: MemberRole) -> Self {
        match role {
            MemberRole::Manager => Self::Manager,
            MemberRole::Contributor => Self::Contributor,
        }
    }
}

/// Whose event it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeamOwnerBody {
    name: String,
    /// Photos of the event that they have uploaded and that are there.
    photos: i64,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TeamMemberBody {
    /// Of the account.
    id: String,
    name: String,
    email: String,
    role: MemberRoleBody,
    /// RFC 3339.
    since: String,
    /// Photos of the event that they have uploaded and that are there.
    photos: i64,
    /// Whether it is the caller.
    is_you: bool,
}

impl TeamMemberBody {
    fn new(member: Member, is_you: bool) -> Self {
        Self {
            id: member.user.to_string(),
            name: member.name,
            email: member.email.to_string(),
            role: member.role.into(),
            since: member.since.to_rfc3339(),
            photos: member.photos,
            is_you,
        }
    }
}

/// Somebody who was asked and has not answered.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvitationBody {
    id: String,
    email: String,
    role: MemberRoleBody,
    /// The name of whoever has invited; null when that account is gone.
    invited_by: Option<String>,
    /// RFC 3339; when it was sent last.
    sent_at: String,
    /// RFC 3339.
    expires_at: String,
    /// Whether it cannot be accepted any more.
    expired: bool,
}

impl InvitationBody {
    fn new(app: &App, Listed { invitation, inviter }: Listed) -> Self {
        let Invitation { id, email, role, sent_at, expires_at, .. } = invitation;
        Self {
            id: id.to_string(),
            email: email.to_string(),
            role: role.into(),
            invited_by: inviter,
            sent_at: sent_at.to_rfc3339(),
            expires_at: expires_at.to_rfc3339(),
            expired: expires_at <= app.now(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TeamBody {
    owner: TeamOwnerBody,
    /// In the order in which they came.
    members: Vec<TeamMemberBody>,
    /// The last one first, with those that have expired.
    invitations: Vec<InvitationBody>,
}

/// Who works on an event that the caller manages.
#[utoipa::path(get, path = "/api/events/{event}/team", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = TeamBody),
        PhotographersOnly,
        (status = 403, body = ErrorBody, description = "Not the owner nor a manager of the event"),
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn team(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<Json<TeamBody>> {
    let team = team::of_event(&app, &caller, event_id(&id)?).await?;
    let is_you = |member: &Member| member.user == caller.id;
    Ok(Json(TeamBody {
        owner: TeamOwnerBody { name: team.owner, photos: team.photos_of_owner },
        members: team
            .members
            .into_iter()
            .map(|member| {
                let is_you = is_you(&member);
                TeamMemberBody::new(member, is_you)
            })
            .collect(),
        invitations: team.invitations.into_iter().map(|listed| InvitationBody::new(&app, listed)).collect(),
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewInvitationBody {
    #[serde(default)]
    email: String,
    /// `manager` or `contributor`.
    #[serde(default)]
    role: String,
}

/// Invites somebody by mail to the team of an event that the caller manages, whether or not the address has an account. The same
/// address again gets another link, which is good for 7 days, and ends the former one. Managers are the owner's to invite.
#[utoipa::path(post, path = "/api/events/{event}/invitations", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")), request_body = NewInvitationBody,
    responses(
        (status = 201, body = InvitationBody),
        InvalidBody,
        PhotographersOnly,
        (status = 403, body = ErrorBody, description = "Not the owner nor a manager of the event, or a manager who invites a manager"),
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "They are a member already, the team is full, or the event is being deleted"),
        RateLimited,
        Unavailable,
    ))]
pub(crate) async fn invite(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
    Json(NewInvitationBody { email, role }): Json<NewInvitationBody>,
) -> Result<(StatusCode, Json<InvitationBody>)> {
    let listed = invitations::create(&app, &caller, event_id(&id)?, &email, &role).await?;
    Ok((StatusCode::CREATED, Json(InvitationBody::new(&app, listed))))
}

/// Takes an invitation back: its link ends.
#[utoipa::path(delete, path = "/api/events/{event}/invitations/{id}", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**"), ("id" = String, Path, description = "The invitation's id")),
    responses(
        (status = 204, description = "It is gone"),
        PhotographersOnly,
        (status = 403, body = ErrorBody, description = "Not the owner nor a manager of the event, or a manager and the invitation is to be one"),
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such invitation to it"),
        Unavailable,
    ))]
pub(crate) async fn withdraw_invitation(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    invitations::withdraw(&app, &caller, event_id(&event)?, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct MemberChangeBody {
    /// `manager` or `contributor`.
    #[serde(default)]
    role: String,
}

/// Changes what a member of the caller's own event may do.
#[utoipa::path(patch, path = "/api/events/{event}/members/{id}", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**"), ("id" = String, Path, description = "The member's id")),
    request_body = MemberChangeBody,
    responses(
        (status = 200, body = TeamMemberBody),
        InvalidBody,
        PhotographersOnly,
        (status = 403, body = ErrorBody, description = "Not the owner of the event"),
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such member of its team"),
        Unavailable,
    ))]
pub(crate) async fn change_member(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, id)): Path<(String, String)>,
    Json(MemberChangeBody { role }): Json<MemberChangeBody>,
) -> Result<Json<TeamMemberBody>> {
    let member = team::set_role(&app, &caller, event_id(&event)?, &id, &role).await?;
    Ok(Json(TeamMemberBody::new(member, false)))
}

/// Removes somebody from the team of an event that the caller manages. What they have uploaded stays. Managers are the owner's to
/// remove.
#[utoipa::path(delete, path = "/api/events/{event}/members/{id}", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**"), ("id" = String, Path, description = "The member's id")),
    responses(
        (status = 204, description = "They are no member any more"),
        PhotographersOnly,
        (status = 403, body = ErrorBody, description = "Not the owner nor a manager of the event, or a manager who removes a manager"),
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such member of its team"),
        Unavailable,
    ))]
pub(crate) async fn remove_member(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    team::remove(&app, &caller, event_id(&event)?, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Leaves the team of an event. What the caller has uploaded stays.
#[utoipa::path(delete, path = "/api/events/{event}/membership", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 204, description = "The caller is no member any more"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "The event is the caller's own"),
        Unavailable,
    ))]
pub(crate) async fn leave_team(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    team::leave(&app, &caller, event_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct InvitationTokenBody {
    /// What stands behind the `#` of the mailed link.
    #[serde(default)]
    token: String,
}

/// What an invitation is to.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvitationPreviewBody {
    event_name: String,
    /// YYYY-MM-DD.
    #[schema(format = Date)]
    event_date: String,
    /// Whose event it is, and whose credits pay for its photos.
    owner_name: String,
    /// The name of whoever has invited; null when that account is gone.
    invited_by: Option<String>,
    role: MemberRoleBody,
    /// RFC 3339.
    expires_at: String,
}

/// What the invitation of a mailed link is to, for whoever has the link.
#[utoipa::path(post, path = "/api/invitations/look", tag = "events", request_body = InvitationTokenBody,
    responses(
        (status = 200, body = InvitationPreviewBody),
        InvalidBody,
        (status = 404, body = ErrorBody, description = "It has expired, was withdrawn or was answered"),
    ))]
pub(crate) async fn look_at_invitation(
    State(app): State<App>,
    Json(InvitationTokenBody { token }): Json<InvitationTokenBody>,
) -> Result<Json<InvitationPreviewBody>> {
    let invitations::Offer { invitation, event, owner, inviter } = invitations::look(&app, &token).await?;
    Ok(Json(InvitationPreviewBody {
        event_name: event.name,
        event_date: event.date.to_string(),
        owner_name: owner,
        invited_by: inviter,
        role: invitation.role.into(),
        expires_at: invitation.expires_at.to_rfc3339(),
    }))
}

/// Makes the caller a member of the team that a mailed link invites to. The owner is told.
#[utoipa::path(post, path = "/api/invitations/accept", tag = "events", security(("bearer" = [])),
    request_body = InvitationTokenBody,
    responses(
        (status = 200, body = TeamEventBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "It has expired, was withdrawn or was answered"),
        (status = 409, body = ErrorBody, description = "The caller is in the team already"),
        Unavailable,
    ))]
pub(crate) async fn accept_invitation(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Json(InvitationTokenBody { token }): Json<InvitationTokenBody>,
) -> Result<Json<TeamEventBody>> {
    let listed = invitations::accept(&app, &caller, &token).await?;
    Ok(Json(TeamEventBody::new(&app, listed)))
}

/// Ends the invitation of a mailed link, for whoever has the link.
#[utoipa::path(post, path = "/api/invitations/decline", tag = "events", request_body = InvitationTokenBody,
    responses(
        (status = 204, description = "It is gone"),
        InvalidBody,
        (status = 404, body = ErrorBody, description = "It has expired, was withdrawn or was answered"),
        Unavailable,
    ))]
pub(crate) async fn decline_invitation(
    State(app): State<App>,
    Json(InvitationTokenBody { token }): Json<InvitationTokenBody>,
) -> Result<StatusCode> {
    invitations::decline(&app, &token).await?;
    Ok(StatusCode::NO_CONTENT)
}
