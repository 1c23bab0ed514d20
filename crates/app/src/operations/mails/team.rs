//! The mails about the teams of events.

use domain::accounts::User;
use domain::accounts::tokens::Token;
use domain::events::Event;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::team::{Invitation, MemberRole};
use storage::team::ListedMember;

use super::ActionMail;
use crate::{Result, Settings};

/// What somebody of a role does, after 'you can'.
const fn can(role: MemberRole) -> &'static str {
    match role {
        MemberRole::Manager => "upload photos, see all photos, and change the event",
        MemberRole::Contributor => "upload photos, and see and delete your own",
    }
}

/// The mail with the link by which an invitation is answered. It says the same whether or not the address has an account.
pub(crate) fn invitation(
    settings: &Settings,
    invitation: &Invitation,
    event: &Event,
    owner: &str,
    inviter: &str,
    token: &Token,
) -> Result<Mail> {
    let Invitation { role, email, .. } = invitation;
    ActionMail {
        site: &settings.site_name,
        subject: "You are invited to an event on Afterglow",
        name: "",
        intro: format!(
            "{} invites you to the event \"{}\" as a {}: you can {}. {} pays for the photos.",
            unlinked(inviter),
            unlinked(&event.name),
            role.as_str(),
            can(*role),
            unlinked(owner),
        ),
        action: "See the invitation",
        // Behind the '#', so that no server and no log on the way is told.
        url: format!("{}/invitation#{}", settings.public_url, token.reveal()),
        other: None,
        outro: "The link is good for 7 days, for whoever has it. You need a photographer's account, which you can make there. If \
                you do not know who invites you, you can ignore this mail.",
    }
    .to(email.clone())
}

/// The mail that tells the owner that an invitation was accepted.
pub(crate) fn accepted(
    settings: &Settings,
    owner: &User,
    event: &Event,
    member: &ListedMember,
) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Somebody has joined the team of your event",
        name: &owner.name,
        intro: format!(
            "{} ({}) has accepted the invitation to \"{}\" as a {}, and can {}. Your credits pay for the photos.",
            unlinked(&member.name),
            unlinked(member.email.as_str()),
            unlinked(&event.name),
            member.role.as_str(),
            can(member.role).replace("your own", "their own"),
        ),
        action: "See the team",
        url: format!("{}/admin/team?event={}", settings.public_url, event.id),
        other: None,
        outro: "If you do not know who this is, remove them there: whoever has the link of an invitation can accept it.",
    }
    .to(owner.email.clone())
}
