//! The settings are part of the binary, which no other crate can depend on: their files are compiled here once more.

#![no_main]
#![allow(dead_code, reason = "what reads the settings is not here")]

// Of a folder, so that the modules inside them are found where they are.
#[path = "../../crates/server/src"]
mod server {
    pub(crate) mod cli;
    pub(crate) mod secrets;
    pub(crate) mod settings;
    pub(crate) mod settings_file;
}

use server::{cli, secrets, settings, settings_file};

mod machine {
    pub(crate) fn memory() -> u64 {
        4 << 30
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| settings::fuzz(bytes));
