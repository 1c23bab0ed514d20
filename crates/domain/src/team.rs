//! Who works on an event: its owner, and whom the owner has invited (decision 0057).

use std::time::Duration;

use crate::accounts::EmailAddress;
use crate::{DAY, EventId, InvitationId, Refusal, Timestamp, UserId};

/// Most members of an event, invitations counted with them.
pub const TEAM_MAX: usize = 50;
/// For how long an invitation can be accepted.
pub const INVITATION_LIFETIME: Duration = DAY.saturating_mul(7);

/// What somebody is to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Whose event it is, and whose credits pay.
    Owner,
    /// Whom the owner has invited.
    Member(MemberRole),
}

/// What the owner has invited somebody as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRole {
    /// Does with the event what the owner does, but for what is the owner's alone.
    Manager,
    /// Uploads photos, and sees and deletes their own.
    Contributor,
}

/// What a call needs of whoever makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// To upload, and to see and delete own photos.
    Upload,
    /// To see all photos, and to change the event.
    Manage,
    /// What the owner alone decides.
    Own,
}

impl Role {
    /// Its name for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member(role) => role.as_str(),
        }
    }

    /// Whether it has a right.
    pub const fn has(self, right: Right) -> bool {
        match (self, right) {
            (Self::Owner, _)
            | (Self::Member(MemberRole::Manager), Right::Manage | Right::Upload)
            | (Self::Member(MemberRole::Contributor), Right::Upload) => true,
            (Self::Member(MemberRole::Manager), Right::Own)
            | (Self::Member(MemberRole::Contributor), Right::Manage | Right::Own) => false,
        }
    }

    /// Refuses whoever has not a right.
    ///
    /// # Errors
    /// [`Refusal::ManagersOnly`] or [`Refusal::OwnerOnly`].
    pub const fn check(self, right: Right) -> Result<(), Refusal> {
        match (self.has(right), right) {
            (true, _) => Ok(()),
            (false, Right::Own) => Err(Refusal::OwnerOnly),
            (false, Right::Manage | Right::Upload) => Err(Refusal::ManagersOnly),
        }
    }

    /// What inviting, removing and changing somebody of a role needs.
    ///
    /// # Errors
    /// [`Refusal::ManagersOnly`], or [`Refusal::OwnerOnly`] for managers.
    pub const fn check_over(self, role: MemberRole) -> Result<(), Refusal> {
        self.check(match role {
            MemberRole::Manager => Right::Own,
            MemberRole::Contributor => Right::Manage,
        })
    }
}

impl MemberRole {
    /// Its name in the database and for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::Contributor => "contributor",
        }
    }

    /// The reverse of [`MemberRole::as_str`].
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Manager, Self::Contributor].into_iter().find(|role| role.as_str() == text)
    }

    /// Parses what a client sends.
    ///
    /// # Errors
    /// [`Refusal::TeamRoleUnknown`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Self::from_stored(text).ok_or(Refusal::TeamRoleUnknown)
    }
}

/// Somebody who was asked to work on an event, and has not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// Which event.
    pub event: EventId,
    /// Where its link is mailed.
    pub email: EmailAddress,
    /// As what.
    pub role: MemberRole,
    /// Who has invited.
    pub invited_by: UserId,
    /// When it was last asked to be mailed.
    pub sent_at: Timestamp,
    /// From when on it cannot be accepted.
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANAGER: Role = Role::Member(MemberRole::Manager);
    const CONTRIBUTOR: Role = Role::Member(MemberRole::Contributor);

    #[test]
    fn each_role_has_the_rights_of_those_below_it() {
        // [TEAM003] [TEAM031] [TEAM032]
        let refused = |role: Role| {
            [Right::Upload, Right::Manage, Right::Own].map(|right| {
                assert_eq!(role.has(right), role.check(right).is_ok());
                role.check(right).err()
            })
        };
        assert_eq!(refused(Role::Owner), [None, None, None]);
        assert_eq!(refused(MANAGER), [None, None, Some(Refusal::OwnerOnly)]);
        assert_eq!(refused(CONTRIBUTOR), [None, Some(Refusal::ManagersOnly), Some(Refusal::OwnerOnly)]);
    }

    #[test]
    fn managers_are_the_owners_to_make() {
        // [TEAM004]
        let over =
            |role: Role| [MemberRole::Contributor, MemberRole::Manager].map(|other| role.check_over(other));
        assert_eq!(over(Role::Owner), [Ok(()), Ok(())]);
        assert_eq!(over(MANAGER), [Ok(()), Err(Refusal::OwnerOnly)]);
        assert_eq!(over(CONTRIBUTOR), [Err(Refusal::ManagersOnly), Err(Refusal::OwnerOnly)]);
    }

    #[test]
    fn roles_have_names() {
        assert_eq!(
            [Role::Owner, MANAGER, CONTRIBUTOR].map(Role::as_str),
            ["owner", "manager", "contributor"]
        );
        assert_eq!(MemberRole::parse("manager"), Ok(MemberRole::Manager));
        assert_eq!(MemberRole::parse("contributor"), Ok(MemberRole::Contributor));
        // Nobody is made an owner.
        assert_eq!(MemberRole::parse("owner"), Err(Refusal::TeamRoleUnknown));
    }
}
