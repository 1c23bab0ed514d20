import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { refusalMessages as accessMessages } from '../features/guest/access/refusalMessages';
import { refusalMessages as askingMessages } from '../features/guest/asking/refusalMessages';
import { refusalMessages as browsingMessages } from '../features/guest/browsing/refusalMessages';
import { refusalMessages as removalMessages } from '../features/guest/removal/refusalMessages';
import { refusalMessages as savingMessages } from '../features/guest/saving/refusalMessages';
import { refusalMessages as tellingMessages } from '../features/guest/telling/refusalMessages';
import { refusalMessages as guestMessages } from '../shared/api/refusalMessages';
import { refusalMessages as visitorMessages } from './refusalMessages';
import { refusalMessages as photographerMessages } from './screens/refusalMessages';

const sourceOf = (file: string) =>
  readFileSync(resolve(import.meta.dirname, '../../../crates/domain/src', file), 'utf8');

/** The server's texts by their codes. */
const serverTexts = new Map(
  [...sourceOf('refusal.rs').matchAll(/ => \w+, "(\w+)", "([^"]+)";/g)].map(([, code = '', text = '']) => [
    code,
    text,
  ]),
);

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
  'cursor_invalid',
  'download_photos_invalid',
  'download_photos_repeated',
  'download_tokens_invalid',
  // The page offers the choices that there are.
  'event_downloads_unknown',
  // The answer to a download that the browser makes by itself.
  'export_not_found',
  'face_out_of_range',
  'form_unreadable',
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
  'too_many_selfies',
  // The page replaces nothing.
  'photo_name_ambiguous',
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

const messages = [
  ...guestMessages,
  ...accessMessages,
  ...askingMessages,
  ...browsingMessages,
  ...removalMessages,
  ...savingMessages,
  ...tellingMessages,
  ...visitorMessages,
  ...photographerMessages,
];
const codeOf = ({ id }: { id?: string }) => (id ?? '').replace('refusal.', '');

it('every refusal of the server that a person can meet has a translation', () => {
  expect(serverTexts.size).toBeGreaterThan(90);
  const translated = new Set(messages.map(codeOf));
  const missing = [...serverTexts.keys()].filter(
    (code) => !translated.has(code) && !programsOnly.includes(code),
  );
  expect(missing, 'add them to the refusalMessages.ts of those who can meet them').toEqual([]);
  expect(programsOnly.filter((code) => translated.has(code) || !serverTexts.has(code))).toEqual([]);
});

it('has the English texts of the server', () => {
  expect(new Set(messages.map(codeOf)).size).toBe(messages.length);
  const failures = sourceOf('photos/failures.rs');
  for (const message of messages) {
    const code = codeOf(message);
    // The server writes this one with the time to wait.
    if (code === 'too_many_requests') continue;
    if (['photo_exhausted', 'photo_crashed'].includes(code))
      expect(failures).toContain(`"${message.message}"`);
    else expect(serverTexts.get(code), code).toBe(message.message);
  }
});
