import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { confirmAndSelectEvent, useSelectedEvent } from '../session/selection';
import { useSession } from '../session/session';
import { type SelectedEvent, storedSelectedEvent } from '../storage';
import { eventParameter } from './eventScreens';
import { eventQuery } from './queries';

export type EventOfAddress =
  | { state: 'selected'; event: SelectedEvent }
  /** The event is looked for, or about to be selected. */
  | { state: 'opening' }
  /** Neither the address nor the storage has an event, or the event could not be loaded. */
  | { state: 'none' }
  /** The event is not among the photographer's: deleted, or somebody else's. */
  | { state: 'missing' }
  | { state: 'deleting' };

/**
 * The event whose id is in the address. It becomes the selected event; without an id, the id of the selected event is
 * put into the address. So each tab, a reload and the back button show the event that the address names, whatever
 * another tab has selected.
 */
export function useEventOfAddress(): EventOfAddress {
  const [parameters, setParameters] = useSearchParams();
  const id = parameters.get(eventParameter);
  const selected = useSelectedEvent();
  const toFind = id === null || id === selected?.id ? undefined : id;
  const lookup = useQuery(eventQuery(useSession(), toFind));

  const putIntoAddress = useCallback(
    (eventId: string | null) =>
      setParameters(
        (now) => {
          if (eventId === null) now.delete(eventParameter);
          else now.set(eventParameter, eventId);
          return now;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParameters],
  );

  const selectedId = selected?.id ?? null;
  useEffect(() => {
    if (id === null && selectedId !== null) putIntoAddress(selectedId);
  }, [id, selectedId, putIntoAddress]);

  const named = toFind === undefined ? undefined : lookup.data;
  const toSelect = named?.deleting === false ? named : undefined;
  const { name, date, slug } = toSelect ?? {};
  useEffect(() => {
    if (id === null || name === undefined || date === undefined || slug === undefined) return undefined;
    let left = false;
    void confirmAndSelectEvent({ id, name, date, slug }).then((chosen) => {
      // Uploads to the selected event go on, so that the address has to name that one.
      if (!chosen && !left) putIntoAddress(storedSelectedEvent.read()?.id ?? null);
    });
    return () => {
      left = true;
    };
  }, [id, name, date, slug, putIntoAddress]);

  if (selected !== null && (id === null || id === selected.id)) return { state: 'selected', event: selected };
  if (id === null || lookup.isLoadingError) return { state: 'none' };
  if (named === undefined) return { state: 'opening' };
  if (named === null) return { state: 'missing' };
  return { state: named.deleting ? 'deleting' : 'opening' };
}
