//! Subscriptions that a change of the model pack has met: the guest's picture is not kept, so that the new recogniser learns who
//! the guest is from photos in which the one before finds them.

use domain::EventId;
use domain::faces::Strictness;
use domain::guests::subscriptions::Subscription;
use domain::photos::Photo;
use vision::Generation;

use crate::faces::sealing::{Key, Purpose};
use crate::faces::seen::{LeftOut, SeenFace};
use crate::faces::templates::{Holder, Template};
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result};

/// Whether a guest of an event is known by the pack before alone, so that new photos are described by it too.
pub(crate) async fn needs_previous(app: &App, event: EventId) -> Result<bool> {
    let (Some(previous), pack) = (app.engine.previous_id(), app.engine.pack_id()) else { return Ok(false) };
    let Some(key) = Key::of(app, event, Purpose::Subscriptions).await? else { return Ok(false) };
    for subscription in storage::guests::subscriptions::of_event(&app.db, event).await? {
        let template = open(&key, &subscription)?;
        if template.by(pack).is_empty() && !template.by(previous).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Has the templates that know their guests by the pack before, or by few photos since, learn from a photo that is stored now.
/// In a photo that the guest was shown, the face is theirs that a loose search takes for theirs; in another one that which a
/// search as theirs finds.
pub(crate) async fn teach(
    app: &App,
    tx: &mut Tx,
    photo: &Photo,
    faces: &[SeenFace],
    left_out: &LeftOut,
) -> Result<()> {
    let (Some(event), Some(previous)) = (photo.event, app.engine.previous_id()) else { return Ok(()) };
    let stored = faces.iter().enumerate().filter(|(place, _)| !left_out.contains(place));
    let (faces, embeddings): (Vec<&SeenFace>, Vec<_>) =
        stored.filter_map(|(_, face)| Some((face, face.previous.as_ref()?))).unzip();
    if faces.is_empty() {
        return Ok(());
    }
    let Some(key) = Key::of(app, event, Purpose::Subscriptions).await? else { return Ok(()) };
    let (pack, face_index) =
        (app.engine.pack_id(), app.engine.face_index_of(Generation::Previous, embeddings.iter().copied())?);
    let mut in_event = None;
    for subscription in storage::guests::subscriptions::of_event(&mut **tx, event).await? {
        let mut template = open(&key, &subscription)?;
        let person = template.by(previous).to_vec();
        if person.is_empty() || !template.learns(pack) {
            continue;
        }
        let id = subscription.id;
        let strictness = match storage::guests::subscriptions::knows(&mut **tx, id, photo.id).await? {
            Some(known) if known.hidden => continue,
            Some(_) => Strictness::Loose,
            None => template.strictness,
        };
        let size = match in_event {
            Some(size) => size,
            None => {
                let event = storage::events::by_id(&mut **tx, event).await?;
                event.map_or(0, |event| usize::try_from(event.faces_indexed).unwrap_or_default())
            }
        };
        in_event = Some(size);
        let compared = face_index.compare(&person, size.max(faces.len()), strictness)?;
        let found = faces.iter().zip(compared).filter(|(_, (_, matches))| *matches);
        let best = found.max_by(|(_, (one, _)), (_, (other, _))| one.total_cmp(other));
        if let Some((face, _)) = best {
            template.learn(pack, vec![face.embedding.clone()]);
            let sealed = template.seal(app, &key, event, Holder::Subscription(id))?;
            storage::guests::subscriptions::set_template(tx, id, &sealed).await?;
        }
    }
    Ok(())
}

fn open(key: &Key, subscription: &Subscription) -> Result<Template> {
    let Subscription { id, event, template, .. } = subscription;
    Template::open(key, *event, Holder::Subscription(*id), template)
        .ok_or_else(|| Failure::Internal(format!("the template of subscription {id} cannot be decrypted")))
}
