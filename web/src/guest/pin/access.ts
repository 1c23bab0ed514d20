import { useSyncExternalStore } from 'react';
import { storedAccess } from '../../platform/storage/storage';

/** The proofs of this document, by slug, also where the browser keeps nothing. */
const proofs = new Map<string, string | null>();
/** The events that have asked for a PIN since the page has their data. */
const refused = new Set<string>();
const listeners = new Set<() => void>();

const tellListeners = () => listeners.forEach((listener) => listener());

/** The proof that this device has entered the PIN of an event; null without one. */
export function readAccess(slug: string): string | null {
  if (!proofs.has(slug)) proofs.set(slug, storedAccess(slug).read());
  return proofs.get(slug) ?? null;
}

/** The PIN was right: `proof` is null when the event asks for none any more. */
export function openAccess(slug: string, proof: string | null): void {
  refused.delete(slug);
  proofs.set(slug, proof);
  if (proof !== null) storedAccess(slug).write(proof);
  tellListeners();
}

/** The server has refused this proof, or that there is none: the PIN was set or changed meanwhile. */
export function refuseAccess(slug: string, proof: string | null): void {
  if (proof !== readAccess(slug)) return;
  refused.add(slug);
  proofs.set(slug, null);
  storedAccess(slug).remove();
  tellListeners();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For what is loaded later: an import of this file would be one more in the page's first load. */
export const access = { readAccess, refuseAccess, subscribe };
export type Access = typeof access;

/** Whether the PIN of an event is to be entered first; `asks` says what is known of the event. */
export const useLocked = (slug: string, asks: boolean): boolean =>
  useSyncExternalStore(subscribe, () => readAccess(slug) === null && (asks || refused.has(slug)));

/** The event whose page this is. */
export const slugOfPage = (): string =>
  decodeURIComponent(/^\/event\/([^/]+)\/?$/.exec(window.location.pathname)?.[1] ?? '');

const prefix = '#pin=';

/** The PIN in the address, which no server sees; null without one. */
export const pinOf = ({ hash }: Pick<Location, 'hash'>): string | null =>
  hash.startsWith(prefix) ? hash.slice(prefix.length) : null;

/** Removes the PIN from the address: whoever looks over the guest's shoulder, or gets the address, does not get it. */
export function removePin(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', pathname + search);
}
