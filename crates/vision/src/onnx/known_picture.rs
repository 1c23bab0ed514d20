//! The picture of a pack whose outcome is known.

use domain::photos::pixels::Pixels;

use crate::packs::Pack;

/// Reads it; the other answer is the reason for a refusal.
pub(super) fn picture(pack: &Pack) -> Result<Pixels, String> {
    let file = pack.path(&pack.manifest().self_test.picture);
    let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    portable_pixmap(&bytes).ok_or_else(|| format!("{} is not a binary PPM", file.display()))
}

/// Reads a binary PPM of 8 bits a sample with single spaces or line ends in its header, as the pack's builder writes it.
fn portable_pixmap(bytes: &[u8]) -> Option<Pixels> {
    let mut fields = bytes.splitn(5, u8::is_ascii_whitespace);
    let mut field = || std::str::from_utf8(fields.next()?).ok();
    let (magic, width, height, most) = (field()?, field()?, field()?, field()?);
    if magic != "P6" || most != "255" {
        return None;
    }
    Pixels::new(width.parse().ok()?, height.parse().ok()?, fields.next()?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portable_pixmaps_are_read() {
        let picture = portable_pixmap(b"P6\n2 1\n255\n\n \n123").unwrap();
        assert_eq!((picture.width(), picture.height(), picture.data()), (2, 1, b"\n \n123".as_slice()));
        assert!(portable_pixmap(b"P6\n2 1\n255\n12345").is_none(), "too short");
        assert!(portable_pixmap(b"P5\n2 1\n255\n123456").is_none());
        assert!(portable_pixmap(b"").is_none());
    }
}
