import { i18n } from '@lingui/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedReturn, storedSelectedEvent, storedToken, storedUser } from '../storage/storage';
import { errorResponse, json, mockServer } from '../../testing/server';
import { setLoginNavigation } from './authorizedFetch';
import { api, unwrapResponse } from './client';
import { ApiError, errorMessage } from './errors';

const login = vi.fn();

beforeEach(() => {
  login.mockReset();
  setLoginNavigation(login);
  storedToken.write('secret');
  storedUser.write({ name: 'Meera', email: 'm@example.com', is_photographer: true });
  storedSelectedEvent.write({ id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 's' });
});

describe('the shared client', () => {
  it('calls its own origin with the stored token [API001] [API003]', async () => {
    const server = mockServer({ 'GET /api/photos/count': () => json({ total_count: 3 }) });
    const count = await unwrapResponse(api.GET('/api/photos/count'), 'no');
    expect(count.total_count).toBe(3);
    expect(server.calls[0]?.origin).toBe(window.location.origin);
    expect(server.calls[0]?.headers.get('Authorization')).toBe('Bearer secret');
  });

  it('sends no header without a token [API004]', async () => {
    storedToken.remove();
    const server = mockServer({ 'GET /api/photos/count': () => json({ total_count: 0 }) });
    await api.GET('/api/photos/count');
    expect(server.calls[0]?.headers.has('Authorization')).toBe(false);
  });

  it('clears the session on a 401 and navigates to /login [API005] [NAV056]', async () => {
    mockServer({ 'GET /api/events/': () => errorResponse(401, 'Please log in to continue.') });
    await expect(unwrapResponse(api.GET('/api/events/'), 'no')).rejects.toThrow('Please log in to continue.');
    expect(localStorage).toHaveLength(0);
    expect(login).toHaveBeenCalledOnce();
  });

  it('remembers the admin screen and the reason for the login page [AUTH081] [AUTH083]', async () => {
    window.history.replaceState(null, '', '/admin/gallery?event=e1');
    const reason = 'Your password was changed. Please log in again.';
    mockServer({ 'GET /api/events/': () => errorResponse(401, reason) });
    await expect(unwrapResponse(api.GET('/api/events/'), 'no')).rejects.toThrow(reason);
    expect(storedReturn.read()).toEqual({ path: '/admin/gallery?event=e1', reason });
    window.history.replaceState(null, '', '/');
  });

  it('remembers the reason in the language of the page', async () => {
    const messages = { 'refusal.password_changed': ['आपका पासवर्ड बदला गया है।'] };
    i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages });
    mockServer({
      'GET /api/events/': () => errorResponse(401, 'Your password was changed.', 'password_changed'),
    });
    await expect(unwrapResponse(api.GET('/api/events/'), 'no')).rejects.toThrow('आपका पासवर्ड');
    expect(storedReturn.read()?.reason).toBe('आपका पासवर्ड बदला गया है।');
    i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  });

  it('keeps the session of a token that is newer than that of a refused call', async () => {
    let answer: (response: Response) => void = () => undefined;
    const server = mockServer({ 'GET /api/events/': () => new Promise((resolve) => (answer = resolve)) });
    const call = unwrapResponse(api.GET('/api/events/'), 'no');
    await vi.waitFor(() => expect(server.calls).toHaveLength(1));
    storedToken.write('newer');
    answer(errorResponse(401, 'Please log in to continue.'));
    await expect(call).rejects.toThrow('Please log in to continue.');
    expect(storedToken.read()).toBe('newer');
    expect(login).not.toHaveBeenCalled();
  });

  it('keeps the session on the 401 of a failed login [AUTH010]', async () => {
    mockServer({ 'POST /api/auth/login': () => errorResponse(401, 'Invalid email or password') });
    const call = api.POST('/api/auth/login', { body: { email: 'm@example.com', password: 'wrong!' } });
    await expect(unwrapResponse(call, 'Login failed')).rejects.toThrow('Invalid email or password');
    expect(storedToken.read()).toBe('secret');
    expect(login).not.toHaveBeenCalled();
  });

  it('uses the fallback message when the body cannot be parsed [ERR017]', async () => {
    mockServer({ 'GET /api/events/': () => errorResponse(500) });
    const error: unknown = await unwrapResponse(api.GET('/api/events/'), 'Failed to load events').catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(errorMessage(error, '')).toBe('Failed to load events');
    expect(error).toMatchObject({ status: 500, serverMessage: undefined });
  });

  it('reports a network error as status 0', async () => {
    mockServer({});
    await expect(unwrapResponse(api.GET('/api/events/'), 'Failed to load events')).rejects.toMatchObject({
      status: 0,
      message: 'Failed to load events',
    });
  });

  it('times out after 300000 ms [API002] [CONST014]', async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    vi.stubGlobal(
      'fetch',
      (_: Request, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const call = unwrapResponse(api.GET('/api/photos/count'), 'no');
    await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(300_000));
    const reason = new DOMException('too late', 'TimeoutError');
    clock.abort(reason);
    await expect(call).rejects.toMatchObject({ status: 0, cause: reason });
  });
});
