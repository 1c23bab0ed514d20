#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| api::operations::runtime::fuzzing::multipart(bytes));
