//! The mails about the teams of events.

use domain::accounts::User;
use domain::accounts::tokens::Token;
use domain::events::Event;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::team::{Invitation, MemberRole};
use storage::team::ListedMember;

use super::action::ActionMail;
use super::texts::ByRole;
use super::writer::Writer;
use crate::{Result, Settings};

/// The paragraph that says what somebody of a role can do.
const fn intro(texts: &ByRole, role: MemberRole) -> &String {
    match role {
        MemberRole::Manager => &texts.intro_manager,
        MemberRole::Contributor => &texts.intro_contributor,
    }
}

/// Who invites, and for whom.
#[derive(Clone, Copy)]
pub(crate) struct Between<'a> {
    /// Whose credits pay.
    pub(crate) owner: &'a User,
    /// Who invites, in whose language the mail is: what an address that has an account has chosen is nobody else's to know.
    pub(crate) inviter: &'a User,
}

/// The mail with the link by which an invitation is answered. It says the same whether or not the address has an account.
pub(crate) fn invitation(
    settings: &Settings,
    invitation: &Invitation,
    event: &Event,
    Between { owner, inviter }: Between<'_>,
    token: &Token,
) -> Result<Mail> {
    let writer = Writer::of(settings, inviter.language)?;
    let texts = &writer.texts.team.invitation;
    let values = [
        ("inviter", &*unlinked(&inviter.name)),
        ("event", &*unlinked(&event.name)),
        ("owner", &*unlinked(&owner.name)),
    ];
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: "",
        intro: writer.fill(intro(texts, invitation.role), &values),
        action: &texts.action,
        // Behind the '#', so that no server and no log on the way is told.
        url: format!("{}/invitation#{}", settings.public_url, token.reveal()),
        other: None,
        outro: &texts.outro,
    }
    .to(invitation.email.clone())
}

/// The mail that tells the owner that an invitation was accepted.
pub(crate) fn accepted(
    settings: &Settings,
    owner: &User,
    event: &Event,
    member: &ListedMember,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.team.accepted;
    let values = [
        ("member", &*unlinked(&member.name)),
        ("email", &*unlinked(member.email.as_str())),
        ("event", &*unlinked(&event.name)),
    ];
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &owner.name,
        intro: writer.fill(intro(texts, member.role), &values),
        action: &texts.action,
        url: format!("{}/admin/team?event={}", settings.public_url, event.id),
        other: None,
        outro: &texts.outro,
    }
    .to(owner.email.clone())
}
