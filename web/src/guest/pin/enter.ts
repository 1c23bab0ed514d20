import { t } from '@lingui/core/macro';
import { request } from '../request';
import { openAccess } from './access';

/** Enters a PIN; the answer is the proof, or null when the event asks for none any more. */
export async function enterPin(slug: string, pin: string): Promise<string | null> {
  const { access_token: proof } = await request<{ access_token: string | null }>(
    `/api/face/access/${encodeURIComponent(slug)}`,
    { body: { pin }, signal: new AbortController().signal },
    t`This did not work. Please check your connection and try again.`,
  );
  return proof;
}

/** Enters the PIN of an event of the account that is signed in on this device. */
export async function enterOwn(slug: string, id: string, signal: AbortSignal): Promise<void> {
  const path = `/api/events/${encodeURIComponent(id)}/pin`;
  const { pin } = await request<{ pin: string | null }>(path, { signal }, '');
  if (pin !== null) openAccess(slug, await enterPin(slug, pin));
}
