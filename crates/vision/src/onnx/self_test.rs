//! Before an engine is used it must find a known face and describe it as it did elsewhere.

use domain::pixels::Pixels;

use super::Onnx;
use crate::errors::OpenError;

const LEAST_SIMILARITY: f32 = 0.99;
const LARGEST_SHIFT: f64 = 2.0;

impl Onnx {
    /// Compares what this engine sees in the pack's picture with what the pack says.
    pub(crate) fn self_test(&self) -> Result<(), OpenError> {
        self.compare().map_err(|reason| OpenError::SelfTest { folder: self.0.pack.folder(), reason })
    }

    /// The answer is the reason for a refusal.
    fn compare(&self) -> Result<(), String> {
        let expected = &self.0.pack.manifest().self_test;
        let file = self.0.pack.path(&expected.picture);
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let picture =
            portable_pixmap(&bytes).ok_or_else(|| format!("{} is not a binary PPM", file.display()))?;
        let faces = self.faces(&picture).map_err(|error| error.to_string())?;
        let [face] = faces.as_slice() else { return Err(format!("{} faces instead of one", faces.len())) };
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let bounds = &face.bounds;
        let found = [
            bounds.x * width,
            bounds.y * height,
            (bounds.x + bounds.width) * width,
            (bounds.y + bounds.height) * height,
        ];
        let shift =
            found.iter().zip(&expected.bounds).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        if shift > LARGEST_SHIFT {
            return Err(format!("the box is {shift:.1} pixels off"));
        }
        let length = expected.embedding.iter().map(|value| value * value).sum::<f32>().sqrt();
        let products =
            face.embedding.values().iter().zip(&expected.embedding).map(|(one, other)| one * other);
        let similarity = products.sum::<f32>() / length;
        if similarity >= LEAST_SIMILARITY {
            Ok(())
        } else {
            Err(format!("the embedding's similarity is {similarity:.3} instead of 1"))
        }
    }
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
