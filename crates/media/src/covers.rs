//! The generated picture of an event: a sky at dusk that is a pure function of the event's slug and shows no photo.
//!
//! A photographer may choose a photo instead, of which [`from_photo`] makes the link preview.
//!
//! [`Cover`] describes the scene. It is rendered as SVG for pages and as JPEG for link previews, which few services
//! accept as SVG; both renderers take every shape and colour from the description.

mod branding;
mod photo;
mod raster;
mod scene;
mod svg;

pub use photo::from_photo;
pub use raster::JPEG_SIZE;
pub use scene::{Cover, REVISION};
