import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  clearSession,
  storedPreview,
  storedSearch,
  storedSelectedEvent,
  storedToken,
  storedUser,
  subscribeToStorage,
} from './storage';
import { storedDownloads } from './resultsStorage';

const event = { id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 'sangeet-k7m2x9q4tr' };

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('stored values', () => {
  it('keep token, user and selected event in local storage [STORE001] [STORE002] [STORE003]', () => {
    storedToken.write('abc');
    storedUser.write({ name: 'Meera', email: 'meera@studio.example', is_photographer: true });
    storedSelectedEvent.write(event);
    expect(localStorage.getItem('token')).toBe('abc');
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual({
      name: 'Meera',
      email: 'meera@studio.example',
      is_photographer: true,
    });
    expect(JSON.parse(localStorage.getItem('selectedEvent') ?? '')).toEqual(event);
  });

  it('keep downloaded ids in local storage and searches in session storage, per event [STORE004] [STORE005] [STORE006]', () => {
    storedDownloads.write(['p1', 'p2']);
    expect(JSON.parse(localStorage.getItem('downloadedMatches') ?? '')).toEqual(['p1', 'p2']);
    storedSearch('a').write({ matches: [] });
    storedPreview('a').write('data:image/jpeg;base64,AA');
    expect(sessionStorage).toHaveLength(2);
    expect(storedSearch('b').read()).toBeNull();
    expect(storedPreview('b').read()).toBeNull();
    expect(storedSearch('a').read()).toEqual({ matches: [] });
  });

  it('remove a selected event that cannot be parsed [STORE010]', () => {
    for (const broken of ['{', '[]', '"x"', '{"id":1}', 'null']) {
      localStorage.setItem('selectedEvent', broken);
      expect(storedSelectedEvent.read()).toBeNull();
      expect(localStorage.getItem('selectedEvent')).toBeNull();
    }
  });

  it('read a user that cannot be parsed as null, and one without the flag as no photographer [NAV028] [STORE015]', () => {
    localStorage.setItem('user', '{oops');
    expect(storedUser.read()).toBeNull();
    localStorage.setItem('user', '{"name":"X","is_photographer":"yes"}');
    expect(storedUser.read()?.is_photographer).toBe(false);
  });

  it('return the same reference until the text changes', () => {
    storedSelectedEvent.write(event);
    expect(storedSelectedEvent.read()).toBe(storedSelectedEvent.read());
  });

  it('keep the selected event of a tab when another tab selects another', () => {
    const sangeet = { id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 'sangeet-k7m2x9q4tr' };
    const dinner = { ...sangeet, id: 'e2', name: 'Dinner' };
    const elsewhere = (newValue: string | null) => {
      const oldValue = localStorage.getItem('selectedEvent');
      if (newValue === null) localStorage.removeItem('selectedEvent');
      else localStorage.setItem('selectedEvent', newValue);
      window.dispatchEvent(new StorageEvent('storage', { key: 'selectedEvent', oldValue, newValue }));
    };
    storedSelectedEvent.write(sangeet);
    elsewhere(JSON.stringify(dinner));
    elsewhere(null);
    expect(storedSelectedEvent.read()).toEqual(sangeet);
    storedSelectedEvent.write(dinner);
    expect(JSON.parse(localStorage.getItem('selectedEvent') ?? '')).toEqual(dinner);
    elsewhere(JSON.stringify(sangeet));
    storedSelectedEvent.remove();
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it('report when the browser rejects a write', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(storedDownloads.write(['p1'])).toBe(false);
  });

  it('notify listeners, and are removed together when the session is cleared', () => {
    storedToken.write('abc');
    storedSelectedEvent.write(event);
    const heard = vi.fn();
    const stop = subscribeToStorage(heard);
    clearSession();
    stop();
    expect(heard).toHaveBeenCalled();
    expect(localStorage).toHaveLength(0);
  });
});
