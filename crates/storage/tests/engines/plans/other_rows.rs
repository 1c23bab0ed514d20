//! What the plans of statements are made for, beside photos.

use storage::Db;

/// Rows of what guests and photographers leave beside their photos.
pub(super) async fn fill(db: &Db) {
    let number = "generate_series(1, 20000) AS n";
    let id = |kind: i64| format!("'0000000{kind}-0000-7000-8000-' || (100000000000 + n)::text");
    let hash = "convert_to('00000000000000000000' || (100000000000 + n)::text, 'UTF8')";
    let event = "'00000002-0000-7000-8000-' || (100000000000 + n % 40)::text";
    let (user, photo, subscription, objection, order) = (id(1), id(3), id(7), id(8), id(9));
    let (album, delivery) = (id(5), id(6));
    let (text, notice) = ("'x'", "'2026-11'");
    for statement in [
        format!(
            "INSERT INTO users (id, email, email_key, name, password_hash, is_photographer, created_at)
             SELECT {user}, 'x', 'user-' || n, 'x', '', TRUE, n FROM {number}"
        ),
        // One of twenty accounts has all photos; the others have events without any.
        format!(
            "INSERT INTO events (id, owner_id, name, date, slug, created_at, retained_from, deleted_at)
             SELECT '0000000a-0000-7000-8000-' || (100000000000 + n)::text, {user}, 'x', '2026-11-20', 'other-' || n, n, n,
                 CASE WHEN n % 2 = 0 THEN n END FROM {number}"
        ),
        format!("INSERT INTO sessions (hash, user_id, created_at, expires_at) SELECT {hash}, {user}, n, n FROM {number}"),
        format!(
            "INSERT INTO api_tokens (id, hash, user_id, name, scope, created_at)
             SELECT '0000000b-0000-7000-8000-' || (100000000000 + n)::text, {hash}, {user}, 'x', 'all', n FROM {number}"
        ),
        format!(
            "INSERT INTO mailed_links (hash, purpose, user_id, email, created_at, expires_at)
             SELECT {hash}, 'verification', {user}, 'x', n, n FROM {number}"
        ),
        format!("INSERT INTO known_networks (hash, user_id, last_at) SELECT {hash}, {user}, n FROM {number}"),
        format!("INSERT INTO password_failures (key, failures, last_at, retry_at) SELECT {hash}, 1, n, n FROM {number}"),
        format!(
            "INSERT INTO counted_requests (key, moments, room, expires_at) SELECT {hash}, '', 13, n FROM {number}"
        ),
        format!(
            "INSERT INTO activity (collection, day, owner_id, uploads, searches)
             SELECT {user}, '2026-11-20', {user}, 1, 1 FROM {number}"
        ),
        format!(
            "INSERT INTO charges (user_id, collection, day, first_at, first_id, photos, price)
             SELECT {user}, {user}, 0, n, {user}, 1, 100 FROM {number}"
        ),
        format!(
            "INSERT INTO downloads (hash, event_id, photo_ids, created_at, expires_at)
             SELECT {hash}, {event}, '', n, n FROM {number}"
        ),
        format!(
            "INSERT INTO guest_photos (id, event_id, device, media_key, content_hash, crc32, original_filename, format, size_bytes,
                 stored_bytes, width, height, preview_bytes, medium_bytes, captured_at, created_at, became)
             SELECT {photo}, {event}, {hash}, 'x', {hash}, 1, 'x', 'image/jpeg', 1, 1, 1, 1, 1, 1, n, n,
                 CASE WHEN n % 20 > 0 THEN {photo} END FROM {number}"
        ),
        format!("INSERT INTO download_sources (download_hash, source_hash) SELECT {hash}, {hash} FROM {number}"),
        format!("INSERT INTO not_me_reports (download_hash, photo_id) SELECT {hash}, {photo} FROM {number}"),
        String::from("INSERT INTO missed_faces (face_id) SELECT id FROM faces"),
        format!("INSERT INTO marked_previews (photo_id, source, bytes, crc32) SELECT {photo}, 'x', 1, 1 FROM {number}"),
        format!(
            "INSERT INTO subscriptions (id, event_id, email, email_key, language, notice_version, template, created_at,
                 confirmed_at, checked_revision, recent_mails, last_download)
             SELECT {subscription}, {event}, 'x', 'guest-' || n, 'en', {notice}, {hash}, n, n, 0, '', {hash} FROM {number}"
        ),
        format!(
            "INSERT INTO subscription_photos (subscription_id, photo_id, hidden)
             SELECT {subscription}, {photo}, FALSE FROM {number}"
        ),
        format!(
            "INSERT INTO subscription_links (hash, subscription_id, purpose, created_at, expires_at)
             SELECT {hash}, {subscription}, 'confirm', n, n FROM {number}"
        ),
        format!(
            "INSERT INTO objections (id, event_id, choice, notice_version, created_at)
             SELECT {objection}, {event}, 'hide', {notice}, n FROM {number}"
        ),
        format!(
            "INSERT INTO objection_faces (objection_id, face_id, photo_id, x, y, width, height, overruled)
             SELECT {objection}, {photo}, {photo}, 0, 0, 1, 1, FALSE FROM {number}"
        ),
        format!(
            "INSERT INTO people (id, event_id, created_at)
             SELECT '0000000c-0000-7000-8000-' || (100000000000 + n)::text, {event}, n FROM {number}"
        ),
        String::from(
            "UPDATE faces SET person_id = '0000000c-0000-7000-8000-' || (100000000001 + substr(id, 25)::bigint % 20000)::text
             WHERE substr(id, 25)::bigint % 2 = 0",
        ),
        format!(
            "INSERT INTO orders (id, user_id, provider, purpose, amount, status, provider_order_id, payment_id, created_at)
             SELECT {order}, {user}, 'sandbox', 'credits', 100, 'paid', {text} || n, {text} || n, n FROM {number}"
        ),
        format!(
            "INSERT INTO payments (provider, payment_id, order_id, user_id, amount, bought, credits, captured_at)
             SELECT 'sandbox', {text} || n, {order}, {user}, 100, 'credits', 100, n FROM {number}"
        ),
        format!(
            "INSERT INTO refunds (id, provider, payment_id, amount, status, created_at)
             SELECT {order}, 'sandbox', {text} || n, 100, 'processed', n FROM {number}"
        ),
        format!(
            "INSERT INTO invoices (number, series, year, serial, provider, payment_id, user_id, issued_at, seller_name,
                 seller_address, seller_gstin, sac, rate, buyer_name, buyer_address, place_of_supply, item, taxable_value, cgst,
                 sgst, igst)
             SELECT {text} || n, 'I', 2026, n + 1, 'sandbox', {text} || n, {user}, n, 'x', 'x', 'x', '998439', 18, 'x', 'x', '27',
                 'x', 100, 9, 9, 0 FROM {number}"
        ),
        format!("INSERT INTO billing_details (user_id, name, address) SELECT DISTINCT {user}, 'x', 'x' FROM {number}"),
        format!(
            "INSERT INTO exports (hash, user_id, session_hash, data, files, created_at, expires_at)
             SELECT {hash}, {user}, {hash}, {hash}, '', n, n FROM {number}"
        ),
        format!(
            "INSERT INTO albums (id, event_id, name, position, created_at)
             SELECT {album}, {event}, 'album-' || n, n, n FROM {number}"
        ),
        format!("INSERT INTO album_photos (album_id, photo_id) SELECT {album}, {photo} FROM {number}"),
        format!(
            "INSERT INTO client_selections (id, event_id, name, of_album, album_id, secret, created_at)
             SELECT {album}, {event}, 'x', n % 2 = 0, CASE WHEN n % 2 = 0 THEN {album} END, 'secret-' || n, n FROM {number}"
        ),
        format!(
            "INSERT INTO client_choices (selection_id, photo_id, chosen, comment, marked_at)
             SELECT {album}, {photo}, n % 2 = 0, '', n FROM {number}"
        ),
        format!(
            "INSERT INTO ftp_logins (event_id, name, hash, created_at)
             SELECT '0000000a-0000-7000-8000-' || (100000000000 + n)::text, {text} || n, {hash}, n FROM {number}"
        ),
        format!(
            "INSERT INTO event_members (event_id, user_id, role, created_at)
             SELECT '0000000a-0000-7000-8000-' || (100000000000 + n)::text, {user}, 'contributor', n FROM {number}"
        ),
        format!(
            "INSERT INTO event_invitations (id, event_id, email, email_key, role, invited_by, token_hash, sent_at, expires_at)
             SELECT {album}, '0000000a-0000-7000-8000-' || (100000000000 + n)::text, 'x', 'x', 'manager', {user}, {hash}, n, n
             FROM {number}"
        ),
        format!(
            "INSERT INTO webhook_endpoints (id, owner_id, url, description, event_types, secret, created_at)
             SELECT {album}, {user}, 'x', '', 'event.complete', 'x', n FROM {number}"
        ),
        format!(
            "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, payload, state, created_at)
             SELECT {delivery}, {user}, 'photo.indexed', '', 'delivered', n FROM {number}"
        ),
        format!(
            "INSERT INTO jobs (id, kind, payload, state, run_at, created_at, photo_id, lane, turn)
             SELECT '0000000b-0000-7000-8000-' || (100000000000 + n)::text, 'index_photo', '', 'queued', n, n, {photo},
                 {event}, n FROM {number}"
        ),
    ] {
        storage::testing::change(db, &statement).await;
    }
    storage::testing::gather_statistics(db).await;
}
