//! Builds the binary again when the web app was built again.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    // cargo-fuzz sets it where it compiles the settings once more (`fuzz/`).
    println!("cargo::rustc-check-cfg=cfg(fuzzing)");
}
