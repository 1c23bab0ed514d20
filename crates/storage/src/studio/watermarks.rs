//! Photographers' watermarks, and what is known of previews with them.

use domain::studio::studios::Ground;
use domain::studio::watermarks::{Opacity, Position, Sign, Watermark};
use domain::{PhotoId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result};

row! {
    pub(crate) struct WatermarkRow {
        name: String,
        text: Option<String>,
        dark_logo: bool,
        position: String,
        opacity: i64,
        on_downloads: bool,
    }
}

impl FromColumns for Watermark {
    type Columns = WatermarkRow;

    fn from_columns(row: WatermarkRow) -> Result<Self> {
        Ok(Self {
            name: row.name,
            sign: match row.text {
                Some(text) => Sign::Text(text),
                None => Sign::Logo(if row.dark_logo { Ground::Dark } else { Ground::Light }),
            },
            position: decode::known(Position::parse(&row.position).ok(), "watermarks.position")?,
            opacity: decode::known(Opacity::new(row.opacity).ok(), "watermarks.opacity")?,
            on_downloads: row.on_downloads,
        })
    }
}

/// What a ZIP has to know of a preview with a watermark before it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedPreview {
    /// Its size in bytes.
    pub bytes: i64,
    /// The CRC-32 of its bytes.
    pub crc32: u32,
}

row! {
    pub(crate) struct MarkedPreviewRow {
        bytes: i64,
        crc32: i64,
    }
}

impl FromColumns for MarkedPreview {
    type Columns = MarkedPreviewRow;

    fn from_columns(row: MarkedPreviewRow) -> Result<Self> {
        let crc32 = decode::known(u32::try_from(row.crc32).ok(), "marked_previews.crc32")?;
        Ok(Self { bytes: row.bytes, crc32 })
    }
}

/// The watermark of an account; none where it has none.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Option<Watermark>> {
    fetch_optional!(
        db,
        Watermark,
        "SELECT name, text, dark_logo, position, opacity, on_downloads FROM watermarks WHERE user_id = $1",
        user,
    )
}

/// The watermark of this name.
pub async fn by_name(db: &dyn Executor, name: &str) -> Result<Option<Watermark>> {
    fetch_optional!(
        db,
        Watermark,
        "SELECT name, text, dark_logo, position, opacity, on_downloads FROM watermarks WHERE name = $1",
        name,
    )
}

/// The picture of the watermark of this name.
pub async fn picture(db: &dyn Executor, name: &str) -> Result<Option<Vec<u8>>> {
    fetch_optional!(db, Vec<u8>, "SELECT picture FROM watermarks WHERE name = $1", name)
}

/// Gives a studio a watermark in place of the one that it has; false when the account has no studio.
pub async fn save(db: &dyn Executor, user: UserId, watermark: &Watermark, picture: &[u8]) -> Result<bool> {
    let saved = execute!(
        db,
        "INSERT INTO watermarks (user_id, name, text, position, opacity, on_downloads, picture, dark_logo)
         SELECT user_id, $2, $3, $4, $5, $6, $7, $8 FROM studios WHERE user_id = $1
         ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, text = excluded.text,
             position = excluded.position, opacity = excluded.opacity,
             on_downloads = excluded.on_downloads, picture = excluded.picture,
             dark_logo = excluded.dark_logo",
        user,
        watermark.name,
        watermark.sign.text(),
        watermark.position,
        i64::from(watermark.opacity.hundredths()),
        watermark.on_downloads,
        picture,
        watermark.sign.logo() == Some(Ground::Dark),
    )?;
    Ok(saved == 1)
}

/// Puts another logo on the photos of an account whose watermark is its logo for such a ground; others stay as they are.
pub async fn follow_logo(
    db: &dyn Executor,
    user: UserId,
    ground: Ground,
    name: &str,
    logo: &[u8],
) -> Result<()> {
    execute!(
        db,
        "UPDATE watermarks SET name = $2, picture = $3 WHERE user_id = $1 AND text IS NULL AND dark_logo = $4",
        user,
        name,
        logo,
        ground == Ground::Dark,
    )?;
    Ok(())
}

/// Takes the watermark from an account.
pub async fn delete(db: &dyn Executor, user: UserId) -> Result<()> {
    execute!(db, "DELETE FROM watermarks WHERE user_id = $1", user)?;
    Ok(())
}

/// What is known of a photo's preview with a watermark, if it was made of the same.
pub async fn marked_preview(
    db: &dyn Executor,
    photo: PhotoId,
    source: &str,
) -> Result<Option<MarkedPreview>> {
    fetch_optional!(
        db,
        MarkedPreview,
        "SELECT bytes, crc32 FROM marked_previews WHERE photo_id = $1 AND source = $2",
        photo,
        source,
    )
}

/// Keeps what is known of a photo's preview with a watermark; false when the photo is deleted.
pub async fn describe_marked_preview(
    db: &dyn Executor,
    photo: PhotoId,
    source: &str,
    preview: MarkedPreview,
) -> Result<bool> {
    let described = execute!(
        db,
        "INSERT INTO marked_previews (photo_id, source, bytes, crc32)
         SELECT id, $2, $3, $4 FROM photos WHERE id = $1
         ON CONFLICT (photo_id) DO UPDATE SET
             source = excluded.source, bytes = excluded.bytes, crc32 = excluded.crc32",
        photo,
        source,
        preview.bytes,
        i64::from(preview.crc32),
    )?;
    Ok(described == 1)
}
