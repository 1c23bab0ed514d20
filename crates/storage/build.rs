//! Makes a new migration file reach the binary: the macro that embeds them only watches those it has seen.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
