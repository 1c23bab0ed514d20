//! Writes a picture as HEIC, for the end-to-end tests: `cargo run --workspace --example heic -- IN OUT`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        return Err("heic IN OUT".into());
    };
    let picture = image::open(from)?.to_rgb8();
    let options = heifer::EncodeOptions { quality: 90, max_threads: 1 };
    let heic = heifer::encode_rgb8(picture.width(), picture.height(), picture.as_raw(), &options)?;
    std::fs::write(to, heic)?;
    Ok(())
}
