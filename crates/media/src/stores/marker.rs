//! The marker: which database a store belongs to.

use bytes::Bytes;

use super::error::Error;

/// Name of the marker, in the store's folder.
pub(super) const NAME: &str = "afterglow-store.txt";
/// First line of the marker, for whoever finds it.
const TITLE: &str = "This media store belongs to one database of Afterglow; see `afterglow store --help`.";

/// Says which database a store belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The id that the database has too.
    pub id: String,
    /// How many sweeps that database had begun.
    pub sweeps: i64,
}

impl Marker {
    pub(super) fn to_bytes(&self) -> Bytes {
        format!("{TITLE}\nid {}\nsweeps {}\n", self.id, self.sweeps).into()
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(bytes).map_err(|_| Error::Marker)?;
        let value = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).ok_or(Error::Marker)
        };
        let sweeps = value("sweeps")?.parse().map_err(|_| Error::Marker)?;
        Ok(Self { id: value("id")?.to_owned(), sweeps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_read_as_it_was_written_and_nothing_else_is_one() {
        let marker = Marker { id: String::from("abc"), sweeps: 7 };
        assert_eq!(Marker::read(&marker.to_bytes()).unwrap(), marker);
        for bad in ["", "id abc", "sweeps 7", "id abc\nsweeps many", "idabc\nsweeps7"] {
            assert!(matches!(Marker::read(bad.as_bytes()), Err(Error::Marker)), "{bad:?}");
        }
        assert!(Marker::read(&[0xFF]).is_err());
    }
}
