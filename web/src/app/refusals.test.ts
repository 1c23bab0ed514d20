import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { serverTexts as readServerTexts } from '../../tools/refusal-extractor';

const serverTexts = readServerTexts();
const sources = resolve(import.meta.dirname, '..');

/** Refusals of requests that no page sends: whoever writes programs reads them in English. */
const programsOnly = [
  // The pages have sessions, and offer the scopes and lifetimes that there are.
  'api_token_for_uploads',
  'api_token_invalid',
  'api_token_lifetime_invalid',
  'api_token_scope_unknown',
  'session_required',
  // The pages send what the first two ask for.
  'consent_required',
  'objection_choice_unknown',
  'credits_key_invalid',
  // There are no pages in such a server.
  'documents_not_drawn',
  'cursor_invalid',
  'download_photos_invalid',
  'download_photos_repeated',
  'download_tokens_invalid',
  // The page offers the choices that there are, and a day by the browser's own field.
  'event_downloads_unknown',
  'event_publication_unknown',
  'event_more_until_invalid',
  // The page offers the formats, stars and labels that there are.
  'name_list_format_unknown',
  'rating_invalid',
  'label_unknown',
  // The page has a field of the browser for it.
  'client_day_invalid',
  // The page makes it.
  'guest_device_invalid',
  // The page offers the languages that there are.
  'language_unknown',
  // The answer to a download that the browser makes by itself.
  'export_not_found',
  'face_out_of_range',
  'form_unreadable',
  // The wall has them in words of its own.
  'wall_ended',
  'wall_photo_not_found',
  // The pages that single sign-on leads to have them in words of their own: they come without their texts.
  'single_sign_on_account_unverified',
  'single_sign_on_address_unverified',
  'single_sign_on_declined',
  'single_sign_on_expired',
  'single_sign_on_linked',
  'single_sign_on_off',
  'single_sign_on_refused',
  'single_sign_on_taken',
  'single_sign_on_unavailable',
  'single_sign_on_unknown',
  // Cameras read it.
  'ftp_login_wrong',
  'hash_invalid',
  'job_kind_unknown',
  // No page searches all photos of a photographer.
  'library_too_large',
  'method_not_allowed',
  'metrics_not_allowed',
  'one_photo_only',
  'path_not_found',
  'people_not_mergeable',
  // The trash sends what was chosen, a thousand at a time.
  'photos_to_choose',
  'too_many_photos_chosen',
  'purpose_unknown',
  'range_not_satisfiable',
  'selfie_required',
  'size_unknown',
  // The gallery offers the orders and states that there are, and shows one event.
  'sort_needs_event',
  'sort_unknown',
  'status_unknown',
  // The pages offer the roles that there are, and the owner no way to leave.
  'team_role_unknown',
  'owner_cannot_leave',
  'strictness_unknown',
  // The browser insists on the box.
  'objection_consent_required',
  'subscription_consent_required',
  'too_many_hashes',
  'too_many_names',
  'too_many_selfies',
  // What uploads in pieces say to programs that speak the protocol; the page tries again by itself.
  'upload_checksum_invalid',
  'upload_checksum_wrong',
  'upload_length_required',
  'upload_metadata_invalid',
  'upload_offset_required',
  'upload_offset_wrong',
  'upload_too_long',
  'upload_type_wrong',
  'upload_version_unsupported',
  // The form offers the positions and opacities that there are, and letters its text.
  'watermark_invalid',
  'webhook_event_unknown',
  'webhook_not_verified',
];

/** The codes whose texts are translated, from the lists of all who can meet them. */
const translated = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('refusals.json'))
  .flatMap((file) => JSON.parse(readFileSync(join(sources, file), 'utf8')) as string[]);

it('every refusal of the server that a person can meet has a translation', () => {
  expect(serverTexts.size).toBeGreaterThan(90);
  const missing = [...serverTexts.keys()].filter(
    (code) => !translated.includes(code) && !programsOnly.includes(code),
  );
  expect(missing, 'add them to the refusals.json of those who can meet them').toEqual([]);
  expect(programsOnly.filter((code) => translated.includes(code) || !serverTexts.has(code))).toEqual([]);
  expect(translated.filter((code) => !serverTexts.has(code))).toEqual([]);
  expect(new Set(translated).size).toBe(translated.length);
});
