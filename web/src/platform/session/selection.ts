import { confirmDiscardUnsavedWork } from './unsavedWork';
import { type SelectedEvent, storedSelectedEvent } from '../storage/storage';
import { useStored } from '../storage/useStored';

interface Selectable extends SelectedEvent {
  deleting?: boolean;
}

/** The event that this tab has shown last; null if there is none. It stands in for an address that names none. */
export const useSelectedEvent = (): SelectedEvent | null => useStored(storedSelectedEvent);

/** Selects an event. An event that is being deleted cannot be selected. */
export function selectEvent(event: Selectable): void {
  if (event.deleting === true) return;
  const { id, name, date, slug } = event;
  storedSelectedEvent.write({ id, name, date, slug });
}

/**
 * Selects an event after a confirmation if that would discard unsaved work; resolves to whether it is selected. `address`
 * is where it is shown.
 */
export async function confirmAndSelectEvent(event: Selectable, address: string): Promise<boolean> {
  if (storedSelectedEvent.read()?.id === event.id) return true;
  if (!(await confirmDiscardUnsavedWork(address))) return false;
  selectEvent(event);
  return event.deleting !== true;
}

/** Clears the selection if it is this event. */
export function deselectEvent(id: string): void {
  if (storedSelectedEvent.read()?.id === id) storedSelectedEvent.remove();
}
