import type { Location } from 'react-router';

/** The token of the invitation: in the fragment of the link, and afterwards in the entry of the history; empty without one. */
export function tokenOf({ hash, state }: Location<unknown>): string {
  if (hash !== '') return hash.slice(1);
  if (typeof state !== 'object' || state === null || !('token' in state)) return '';
  return typeof state.token === 'string' ? state.token : '';
}
