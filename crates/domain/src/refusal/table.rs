//! The type of refusals, from their table.

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident => $kind:ident, $code:literal, $text:literal;)+) => {
        /// A request that is refused for a reason on which the caller can act.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Refusal {
            $($(#[$doc])* $name,)+
            /// A part of the request cannot be parsed; the text says which and why.
            Malformed(String),
            /// Too many requests.
            TooMany {
                /// How long to wait: whole seconds, at least one.
                retry_after: Duration,
            },
        }

        impl Refusal {
            /// One of each, for tests and the contract.
            pub fn all() -> Vec<Self> {
                vec![
                    $(Self::$name,)+
                    Self::Malformed(String::from("The request cannot be read.")),
                    Self::TooMany { retry_after: Duration::from_secs(1) },
                ]
            }

            /// The stable name for programs.
            pub const fn code(&self) -> &'static str {
                match self {
                    $(Self::$name => $code,)+
                    Self::Malformed(_) => "malformed_request",
                    Self::TooMany { .. } => "too_many_requests",
                }
            }

            /// The text for the user, exactly as specified where the specification has one.
            pub fn text(&self) -> Cow<'static, str> {
                match self {
                    $(Self::$name => Cow::Borrowed($text),)+
                    Self::Malformed(text) => Cow::Owned(text.clone()),
                    Self::TooMany { retry_after } => Cow::Owned(format!("Too many requests. Please try again in {}.", in_words(*retry_after))),
                }
            }

            /// Its kind.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)+
                    Self::Malformed(_) => Kind::InvalidInput,
                    Self::TooMany { .. } => Kind::RateLimited,
                }
            }
        }

        impl std::fmt::Display for Refusal {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.text())
            }
        }

        impl std::error::Error for Refusal {}
    };
}

pub(super) use refusals;
