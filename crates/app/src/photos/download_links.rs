//! Links under which photos are saved.

use domain::events::Event;
use domain::photos::{Photo, Size};
use media::captures::tagged_checksum;

use crate::photos::files::{link_to, origin};
use crate::photos::linked::Linked;
use crate::photos::previews;
use crate::photos::redactions::{self, Audience, Recipient};
use crate::studio::watermarked;
use crate::{App, Result, statistics};

/// The links under which a browser saves a photo.
pub struct DownloadLinks {
    /// The original; none where guests get none.
    pub original: Option<String>,
    /// A JPEG for screens and messages, and its size in bytes; none while it is not made.
    pub web: Option<(String, i64)>,
}

/// Makes the links under which a browser saves a photo: the original, as it is for this recipient, and the preview as the
/// web size, which is a JPEG whatever the original is.
///
/// # Errors
/// [`domain::Refusal::DownloadsNotOffered`]. When the object store cannot sign, or cannot be reached.
pub async fn download_links(app: &App, photo: &Photo, recipient: &Recipient) -> Result<DownloadLinks> {
    let stored = |size: Size| Some(Linked::Stored(size));
    let watermark = match recipient {
        Recipient::Owner => None,
        Recipient::Guest(_) => watermarked::on_downloads(app, photo.owner).await?,
    };
    let (original, preview) = match recipient {
        Recipient::Owner => (stored(Size::Original), Linked::Stored(Size::Preview)),
        Recipient::Guest(event) => {
            event.downloads.check_any()?;
            // A bucket can serve what is not changed on its way; what this server serves follows the event's choice.
            let is_elsewhere = origin(app).is_some();
            let original = match event.downloads.check_original() {
                Err(_) => None,
                Ok(()) if is_elsewhere && is_sent_as_stored(app, photo, event).await? => {
                    stored(Size::Original)
                }
                Ok(()) => Some(Linked::ForGuests),
            };
            // A bucket writes nothing into it.
            let is_stored = is_elsewhere && watermark.is_none() && !photo.capture.has_tags();
            (original, if is_stored { Linked::Stored(Size::Preview) } else { Linked::WebForGuests })
        }
    };
    let (filename, web_filename) = match recipient {
        Recipient::Guest(event) if event.flags.keeps_names => {
            (photo.own_filename(), photo.own_web_filename())
        }
        Recipient::Owner | Recipient::Guest(_) => (photo.filename(), photo.web_filename()),
    };
    let is_counted = origin(app).is_some();
    let original = match original {
        Some(linked) => {
            if is_counted && linked == Linked::Stored(Size::Original) {
                // This server sees nothing of what follows.
                statistics::count_download(app, photo);
            }
            Some(link_to(app, photo, linked, Some(&filename)).await?)
        }
        None => None,
    };
    let size = match &watermark {
        Some(watermark) => watermarked::described(app, photo, watermark).await?.map(|marked| marked.bytes),
        None => previews::size(app, photo).await?,
    };
    let is_of_bucket = is_counted && matches!(preview, Linked::Stored(_));
    let size = size.map(|size| {
        if is_of_bucket {
            return size;
        }
        let (bytes, _) = tagged_checksum(u64::try_from(size).unwrap_or_default(), 0, &photo.capture);
        i64::try_from(bytes).unwrap_or(i64::MAX)
    });
    let web = match size {
        Some(size) => Some((link_to(app, photo, preview, Some(&web_filename)).await?, size)),
        None => None,
    };
    if is_of_bucket && original.is_none() && web.is_some() {
        statistics::count_download(app, photo);
    }
    Ok(DownloadLinks { original, web })
}

/// Whether guests get a photo's original byte for byte.
async fn is_sent_as_stored(app: &App, photo: &Photo, event: &Event) -> Result<bool> {
    match Audience::of_guests(event) {
        Audience::Owner => Ok(true),
        Audience::Guests => Ok(redactions::of(app, photo).await?.patches.is_empty()),
    }
}
