//! What photographers send to guests with the link of an event.

use domain::events::invitations::Invitation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message to guests, which the link follows.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(as = Invitation)]
pub(crate) struct InvitationBody {
    /// The tag of the language that it is in (BCP 47).
    pub(crate) language: String,
    #[schema(max_length = 1000)]
    pub(crate) text: String,
}

impl From<Invitation> for InvitationBody {
    fn from(invitation: Invitation) -> Self {
        Self { language: invitation.language.as_str().to_owned(), text: invitation.text }
    }
}
