//! The settings are part of the binary, which no other crate can depend on: their files are compiled here once more.

#![no_main]
#![allow(dead_code, reason = "what reads the settings is not here")]

#[path = "../../crates/server/src/cli.rs"]
mod cli;
#[path = "../../crates/server/src/secrets.rs"]
mod secrets;
#[path = "../../crates/server/src/settings.rs"]
mod settings;
#[path = "../../crates/server/src/settings_file.rs"]
mod settings_file;

mod machine {
    pub(crate) fn memory() -> u64 {
        4 << 30
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| settings::fuzz(bytes));
