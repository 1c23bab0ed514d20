import { describe, expect, it, vi } from 'vitest';
import { storedSelectedEvent } from '../storage/storage';
import { registerUnsavedWorkGuard, type UnsavedWorkGuard } from './unsavedWork';
import { confirmAndSelectEvent, deselectEvent, selectEvent } from './selection';

const sangeet = { id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 'sangeet-k7m2x9q4tr' };
const dinner = { id: 'e2', name: 'Dinner', date: '2026-10-29', slug: 'dinner-c9xk4bme7u' };

describe('the selected event', () => {
  it('is stored when selected [NAV049] [STORE008]', () => {
    selectEvent(sangeet);
    expect(JSON.parse(localStorage.getItem('selectedEvent') ?? '')).toEqual(sangeet);
    expect(storedSelectedEvent.read()).toEqual(sangeet);
  });

  it('cannot be an event that is being deleted [NAV050]', () => {
    selectEvent(sangeet);
    selectEvent({ ...dinner, deleting: true });
    expect(storedSelectedEvent.read()?.id).toBe('e1');
  });

  it('is cleared when it is marked as deleting, and kept when another is [NAV051] [NAV052]', () => {
    selectEvent(sangeet);
    deselectEvent('e2');
    expect(storedSelectedEvent.read()?.id).toBe('e1');
    deselectEvent('e1');
    expect(storedSelectedEvent.read()).toBeNull();
  });

  it('changes only after a confirmation while there is unsaved work', async () => {
    selectEvent(sangeet);
    const ask = vi.fn<UnsavedWorkGuard>(() => Promise.resolve(false));
    const release = registerUnsavedWorkGuard(ask);
    expect(await confirmAndSelectEvent(sangeet, '/there')).toBe(true);
    expect(ask).not.toHaveBeenCalled();
    expect(await confirmAndSelectEvent(dinner, '/there')).toBe(false);
    expect(ask).toHaveBeenCalledWith('/there');
    expect(storedSelectedEvent.read()?.id).toBe('e1');
    ask.mockResolvedValue(true);
    expect(await confirmAndSelectEvent(dinner, '/there')).toBe(true);
    expect(storedSelectedEvent.read()?.id).toBe('e2');
    release();
    ask.mockResolvedValue(false);
    expect(await confirmAndSelectEvent(sangeet, '/there')).toBe(true);
    expect(await confirmAndSelectEvent({ ...dinner, deleting: true }, '/there')).toBe(false);
  });
});
