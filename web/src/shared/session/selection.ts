import { useSyncExternalStore } from 'react';
import { mayLose } from './losses';
import { type SelectedEvent, storedSelectedEvent, subscribeToStorage } from '../storage';

interface Selectable extends SelectedEvent {
  deleting?: boolean;
}

/** Follows the event chosen in the bar; null when there is none. */
export const useSelectedEvent = (): SelectedEvent | null =>
  useSyncExternalStore(subscribeToStorage, storedSelectedEvent.read);

/** Makes an event the chosen one. An event that is being deleted cannot be chosen. */
export function selectEvent(event: Selectable): void {
  if (event.deleting === true) return;
  const { id, name, date, slug } = event;
  storedSelectedEvent.write({ id, name, date, slug });
}

/** Chooses an event for a person, who may be asked what it costs; answers whether it is chosen. */
export async function chooseEvent(event: Selectable): Promise<boolean> {
  if (storedSelectedEvent.read()?.id === event.id) return true;
  if (!(await mayLose())) return false;
  selectEvent(event);
  return event.deleting !== true;
}

/** Lets go of an event that is being deleted, if it is the chosen one. */
export function deselectEvent(id: string): void {
  if (storedSelectedEvent.read()?.id === id) storedSelectedEvent.remove();
}

/** Brings the choice in line with a list that has just been loaded. */
export function reconcileSelection(events: readonly Selectable[]): void {
  const chosen = storedSelectedEvent.read();
  if (chosen === null) return;
  const current = events.find((event) => event.id === chosen.id);
  if (current === undefined || current.deleting === true) storedSelectedEvent.remove();
  else if (current.name !== chosen.name || current.date !== chosen.date) selectEvent(current);
}
