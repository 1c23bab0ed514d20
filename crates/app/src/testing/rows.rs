//! Rows as the verbs leave them, without pictures: tests and benchmarks of indexes need many.

use domain::accounts::EmailAddress;
use domain::faces::{BoundingBox, Embedding};
use domain::photos::pixels::Color;
use domain::{EventId, FaceId, PhotoId, UserId};
use storage::accounts::users::NewUser;
use storage::events::NewEvent;
use storage::faces::NewFace;
use storage::photos::Indexed;

use crate::{App, Result};

/// A photographer.
///
/// # Errors
/// When the database fails.
pub async fn photographer(app: &App) -> Result<UserId> {
    let id = app.id::<UserId>();
    let user = NewUser {
        id,
        email: EmailAddress::from_trusted(format!("{id}@example.com")),
        name: String::from("Meera"),
        password_hash: String::new(),
        is_photographer: true,
        language: domain::accounts::languages::AccountLanguage::English,
        created_at: app.now(),
    };
    let mut tx = app.begin().await?;
    storage::accounts::users::create(&mut tx, &user).await?;
    tx.commit().await?;
    Ok(id)
}

/// An open event.
///
/// # Errors
/// When the database fails.
pub async fn event(app: &App, owner: UserId) -> Result<EventId> {
    let id = app.id::<EventId>();
    let event = NewEvent {
        id,
        owner,
        name: String::from("Sangeet"),
        date: app.now().date(),
        slug: id.to_string(),
        description: None,
        keep_days: None,
        created_at: app.now(),
        payment_amount: None,
        coupon_code: None,
    };
    let mut tx = app.begin().await?;
    storage::events::create(&mut tx, &event).await?;
    tx.commit().await?;
    Ok(id)
}

/// A photo that waits for its index, of an event or of the library.
///
/// # Errors
/// When the database fails.
pub async fn photo(app: &App, owner: UserId, event: Option<EventId>) -> Result<PhotoId> {
    let photo = storage::testing::new_photo(app.id(), app.now(), &app.randomness, owner, event);
    let mut tx = app.begin().await?;
    storage::photos::insert(&mut tx, &photo).await?;
    storage::photos::count_insertion(&mut tx, &photo).await?;
    tx.commit().await?;
    Ok(photo.id)
}

/// Indexes a photo, which has these faces.
///
/// # Errors
/// When the database fails.
pub async fn index(app: &App, photo: PhotoId, pack: &str, faces: Vec<Embedding>) -> Result<Vec<FaceId>> {
    let bounds = BoundingBox { x: 0.25, y: 0.25, width: 0.125, height: 0.25 };
    let faces = faces.into_iter();
    let faces: Vec<NewFace> = faces
        .map(|embedding| NewFace { id: app.id(), bounds, score: 0.875, is_blurred: false, embedding })
        .collect();
    let average_color = Color { red: 1, green: 35, blue: 255 };
    let indexed = Indexed {
        pack,
        average_color,
        preview_bytes: 1,
        preview_crc32: 7,
        medium_bytes: 1,
        appearance: None,
        faces: &faces,
    };
    let mut tx = app.begin().await?;
    storage::photos::finish_indexing(&mut tx, photo, &indexed).await?;
    tx.commit().await?;
    Ok(faces.iter().map(|face| face.id).collect())
}
