#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| api::fuzzing::search_form(bytes));
