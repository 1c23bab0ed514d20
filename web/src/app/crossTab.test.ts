import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedSelectedEvent, storedToken, storedUser } from '../platform/storage/storage';
import { handleTokenChange } from './crossTab';

const navigateToLogin = vi.fn();

const on = (path: string, loggedIn = true) => ({ path, loggedIn, navigateToLogin });

beforeEach(() => {
  navigateToLogin.mockReset();
  storedToken.write('b');
  storedUser.write({ name: 'Meera', email: 'm@example.com', is_photographer: true });
  storedSelectedEvent.write({ id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 's' });
});

describe('a token changed by another tab', () => {
  it('clears token, user and selected event and navigates to /login', () => {
    handleTokenChange({ key: 'token', oldValue: 'a', newValue: 'b' }, on('/admin/events'));
    expect(localStorage).toHaveLength(0);
    expect(navigateToLogin).toHaveBeenCalledOnce();
  });

  it('navigates to /login when it was removed', () => {
    handleTokenChange({ key: 'token', oldValue: 'a', newValue: null }, on('/pricing'));
    expect(navigateToLogin).toHaveBeenCalledOnce();
  });

  it('does not navigate on /login, /register and /', () => {
    for (const path of ['/login', '/register', '/']) {
      handleTokenChange({ key: 'token', oldValue: 'a', newValue: null }, on(path));
    }
    expect(navigateToLogin).not.toHaveBeenCalled();
    expect(localStorage).toHaveLength(0);
  });

  it('is adopted if this tab had none (X08)', () => {
    handleTokenChange({ key: 'token', oldValue: null, newValue: 'b' }, on('/admin/events'));
    expect(storedToken.read()).toBe('b');
    expect(navigateToLogin).not.toHaveBeenCalled();
  });

  it('other keys are ignored', () => {
    handleTokenChange({ key: 'user', oldValue: 'a', newValue: null }, on('/admin/events'));
    expect(storedToken.read()).toBe('b');
  });

  it('is removed by a cleared storage, which a tab without a session ignores', () => {
    const cleared = { key: null, oldValue: null, newValue: null };
    handleTokenChange(cleared, on('/pricing', false));
    expect(navigateToLogin).not.toHaveBeenCalled();
    handleTokenChange(cleared, on('/pricing'));
    expect(navigateToLogin).toHaveBeenCalledOnce();
    expect(localStorage).toHaveLength(0);
  });
});
