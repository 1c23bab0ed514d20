//! What decides the status of a refusal.

/// The kind of a refusal; the HTTP layer maps each to a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The input is wrong.
    InvalidInput,
    /// The caller is not signed in.
    Unauthenticated,
    /// The balance is too low.
    PaymentRequired,
    /// Signed in, but not allowed.
    Forbidden,
    /// It does not exist, or is not the caller's: the response does not tell which.
    NotFound,
    /// It exists, but not with this method.
    MethodNotAllowed,
    /// It contradicts the current state.
    Conflict,
    /// It says of itself what is not so here.
    PreconditionFailed,
    /// What arrived is not what was sent.
    ChecksumMismatch,
    /// A range beyond the end.
    RangeNotSatisfiable,
    /// More bytes than are accepted.
    TooLarge,
    /// A content type that is not supported.
    UnsupportedMediaType,
    /// Valid, but it cannot be processed.
    Unprocessable,
    /// Too many requests.
    RateLimited,
    /// Temporarily unavailable.
    Unavailable,
    /// A disk is full.
    InsufficientStorage,
}
