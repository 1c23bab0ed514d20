import { useSyncExternalStore } from 'react';
import { type StoredValue, subscribeToStorage } from './storage';

/** A value of the browser's storage; the component is rendered again when this tab or another changes it. */
export const useStored = <T>({ read }: StoredValue<T>): T | null =>
  useSyncExternalStore(subscribeToStorage, read, read);
