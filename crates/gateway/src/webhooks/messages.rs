//! What is sent to an endpoint.

use domain::webhooks::Secret;

/// A message and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The address of the endpoint.
    pub url: &'a str,
    /// Its id, which stays the same when it is sent again. It has no full stop.
    pub id: &'a str,
    /// When this attempt is made, in Unix seconds.
    pub timestamp: i64,
    /// The body.
    pub payload: &'a str,
    /// Whether it goes into the internet alone, by https, however far messages go otherwise: its address was chosen by somebody
    /// who must not reach the operator's network.
    pub is_public_only: bool,
    /// What it is signed with, the newest first.
    pub secrets: &'a [&'a Secret],
}
