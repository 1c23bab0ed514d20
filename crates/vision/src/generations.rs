//! Which recogniser of a pack has described a face.

/// A pack's own recogniser, or that of the pack before, which it carries until all faces are described by its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// The pack's own.
    Current,
    /// That of the pack before.
    Previous,
}

/// By which recognisers of a pack faces are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognisers {
    /// The pack's own alone.
    Current,
    /// That of the pack before too, where the pack carries one.
    Both,
}
