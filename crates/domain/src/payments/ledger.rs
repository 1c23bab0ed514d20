//! The reasons why a balance changes.

/// Why a row of the ledger was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerKind {
    /// The free credits of a new account.
    Signup,
    /// Credits that were bought.
    Recharge,
    /// A photo was uploaded.
    Upload,
    /// The premium plan was bought; the balance does not change.
    Premium,
    /// An operator's grant.
    Adjustment,
}

impl LedgerKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Signup, Self::Recharge, Self::Upload, Self::Premium, Self::Adjustment];

    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Recharge => "recharge",
            Self::Upload => "upload",
            Self::Premium => "premium",
            Self::Adjustment => "adjustment",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_round_trip() {
        // [PAY035]
        for kind in LedgerKind::ALL {
            assert_eq!(LedgerKind::from_stored(kind.as_str()), Some(kind));
        }
        assert_eq!(LedgerKind::from_stored("gift"), None);
    }
}
