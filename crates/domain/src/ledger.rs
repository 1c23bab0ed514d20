//! The reasons for which a balance changes.

/// Why a row of the ledger was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerKind {
    /// The free credit of a new account.
    Signup,
    /// Bought credit.
    Recharge,
    /// A photo was taken in.
    Upload,
    /// The premium plan was bought; the balance does not change.
    Premium,
    /// An operator's grant.
    Adjustment,
}

impl LedgerKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Signup, Self::Recharge, Self::Upload, Self::Premium, Self::Adjustment];

    /// As the database spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Recharge => "recharge",
            Self::Upload => "upload",
            Self::Premium => "premium",
            Self::Adjustment => "adjustment",
        }
    }

    /// Reads the database's spelling.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_read_back() {
        // [PAY035]
        for kind in LedgerKind::ALL {
            assert_eq!(LedgerKind::from_stored(kind.as_str()), Some(kind));
        }
        assert_eq!(LedgerKind::from_stored("gift"), None);
    }
}
