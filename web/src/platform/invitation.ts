import type { To } from 'react-router';
import { defineStoredValue, parseJson } from './storage/storage';

/** An invitation to the team of an event that somebody wants to answer once they are logged in. */
export interface WaitingInvitation {
  token: string;
  /** RFC 3339. */
  expires_at: string;
}

function parseInvitation(text: string): WaitingInvitation | null {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return null;
  const { token, expires_at } = value as Record<string, unknown>;
  if (typeof token !== 'string' || token === '' || typeof expires_at !== 'string') return null;
  return Date.parse(expires_at) > Date.now() ? { token, expires_at } : null;
}

/**
 * Kept from the click that leads to the login or the registration until the login. Not of the tab alone: the link in the
 * mail that verifies a new account opens another one.
 */
export const storedInvitation = defineStoredValue<WaitingInvitation>({
  key: 'invitation',
  area: 'localStorage',
  parse: parseInvitation,
  serialize: JSON.stringify,
  removeInvalid: true,
});

/** The address of an invitation, as in the mail: the fragment reaches no server. */
export const invitationAddress = (token: string): To => ({ pathname: '/invitation', hash: token });

/** The address of the invitation that waits, which waits no more. */
export function takeInvitation(): To | null {
  const waiting = storedInvitation.read();
  storedInvitation.remove();
  return waiting === null ? null : invitationAddress(waiting.token);
}
