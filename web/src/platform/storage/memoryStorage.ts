import { type Area, replaceStorage } from './storage';

function createMemoryArea(): Area {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

/** From now on this document keeps in memory what it would store; to be called before anything is read. */
export const keepStorageInMemory = (): void =>
  replaceStorage({ localStorage: createMemoryArea(), sessionStorage: createMemoryArea() });
