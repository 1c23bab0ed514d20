//! Where photos are looked at.

use domain::photos::focus::Focus;
use serde::Serialize;
use utoipa::ToSchema;

/// A point of a picture, as fractions of its width and height from the top left: what is to be seen where a part of it is shown. It
/// is the middle of its larger faces.
#[derive(Serialize, ToSchema)]
#[schema(as = Focus)]
pub(crate) struct FocusBody {
    /// From 0 to 1.
    x: f64,
    /// From 0 to 1.
    y: f64,
}

impl From<Focus> for FocusBody {
    fn from(focus: Focus) -> Self {
        let (x, y) = focus.fractions();
        Self { x, y }
    }
}
