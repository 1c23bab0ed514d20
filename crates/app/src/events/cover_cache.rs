//! Drawn covers, kept in memory.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use lru::LruCache;

/// Drawn covers of each form that are kept: a JPEG has about 60 kB, an SVG 3 kB.
const KEPT: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// The covers that were drawn last. Those in SVG are apart: anybody can ask for that of any slug.
#[derive(Default)]
pub(crate) struct CoverCache {
    pub(crate) svgs: Drawn,
    pub(crate) jpegs: Arc<Drawn>,
}

/// Files by slug, or another name that changes with the picture.
pub(crate) struct Drawn(Mutex<LruCache<String, Bytes>>);

impl Default for Drawn {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT)))
    }
}

impl Drawn {
    pub(crate) fn get(&self, slug: &str) -> Option<Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(slug).cloned()
    }

    /// The kept file, or the one that `draw` makes now.
    pub(crate) fn get_or_draw<E>(
        &self,
        slug: &str,
        draw: impl FnOnce() -> std::result::Result<Bytes, E>,
    ) -> std::result::Result<Bytes, E> {
        if let Some(drawn) = self.get(slug) {
            return Ok(drawn);
        }
        let drawn = draw()?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(slug.to_owned(), drawn.clone());
        Ok(drawn)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_cover_is_drawn_once_while_it_is_kept() {
        let (drawn, mut count) = (Drawn::default(), 0);
        let mut draw = |slug: &str| {
            let Ok(file) = drawn.get_or_draw::<Infallible>(slug, || {
                count += 1;
                Ok(Bytes::copy_from_slice(slug.as_bytes()))
            });
            assert_eq!(file, slug);
            count
        };
        assert_eq!((draw("one"), draw("one"), draw("two"), draw("one")), (1, 1, 2, 2));
        for number in 0..KEPT.get() {
            draw(&number.to_string());
        }
        let before = draw("255");
        assert_eq!(draw("one"), before + 1, "the least recently used is not kept");
    }

    #[test]
    fn a_cover_that_could_not_be_drawn_is_not_kept() {
        let drawn = Drawn::default();
        assert_eq!(drawn.get_or_draw("one", || Err("no")), Err("no"));
        assert_eq!(
            drawn.get_or_draw::<Infallible>("one", || Ok(Bytes::from_static(b"1"))),
            Ok(Bytes::from_static(b"1"))
        );
    }
}
