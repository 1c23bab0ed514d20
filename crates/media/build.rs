//! Says loudly when the JPEG codec is about to be built without its vector instructions.

use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Only the x86 assembly of libjpeg needs nasm; other machines bring intrinsics.
    let architecture = std::env::var_os("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let needed = architecture == "x86_64" || architecture == "x86";
    if needed && !nasm_is_there() {
        println!(
            "cargo::warning=nasm is missing: mozjpeg builds WITHOUT SIMD and every photo takes about 1.5 times as long. \
             Install nasm, then `cargo clean -p mozjpeg-sys -p media`."
        );
    }
}

fn nasm_is_there() -> bool {
    Command::new("nasm")
        .arg("-v")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
