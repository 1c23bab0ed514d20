//! The settings are part of the binary, which no other crate can depend on: their files are compiled here once more.

#![no_main]
#![allow(dead_code, reason = "what reads the settings is not here")]

#[path = "../../crates/server/src/machine.rs"]
mod machine;
#[path = "../../crates/server/src/settings.rs"]
mod settings;

mod cli {
    #[derive(Debug)]
    pub(crate) struct CliError(String);

    impl CliError {
        pub(crate) fn new(text: impl Into<String>) -> Self {
            Self(text.into())
        }
    }

    impl std::fmt::Display for CliError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| settings::fuzz(bytes));
