import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedSelectedEvent, storedToken, storedUser } from '../shared/storage';
import { followTokenChange } from './crossTab';

const goToLogin = vi.fn();

beforeEach(() => {
  goToLogin.mockReset();
  storedToken.write('b');
  storedUser.write({ name: 'Meera', email: 'm@example.com', is_photographer: true });
  storedSelectedEvent.write({ id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 's' });
});

describe('a token that another tab changes', () => {
  it('clears token, user and selected event and goes to /login', () => {
    followTokenChange({ key: 'token', oldValue: 'a', newValue: 'b' }, '/admin/events', goToLogin);
    expect(localStorage).toHaveLength(0);
    expect(goToLogin).toHaveBeenCalledOnce();
  });

  it('goes to /login when it was removed', () => {
    followTokenChange({ key: 'token', oldValue: 'a', newValue: null }, '/pricing', goToLogin);
    expect(goToLogin).toHaveBeenCalledOnce();
  });

  it('does not navigate on /login, /register and /', () => {
    for (const path of ['/login', '/register', '/']) {
      followTokenChange({ key: 'token', oldValue: 'a', newValue: null }, path, goToLogin);
    }
    expect(goToLogin).not.toHaveBeenCalled();
    expect(localStorage).toHaveLength(0);
  });

  it('is taken over where this tab had none (X08)', () => {
    followTokenChange({ key: 'token', oldValue: null, newValue: 'b' }, '/admin/events', goToLogin);
    expect(storedToken.read()).toBe('b');
    expect(goToLogin).not.toHaveBeenCalled();
  });

  it('is the only key that counts', () => {
    followTokenChange({ key: 'user', oldValue: 'a', newValue: null }, '/admin/events', goToLogin);
    expect(storedToken.read()).toBe('b');
  });
});
