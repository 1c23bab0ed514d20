import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedSelectedEvent, storedToken, storedUser } from '../storage';
import { errorResponse, json, mockServer } from '../testing/server';
import { answerOf, api, clientTimeout, setLoginNavigation } from './client';
import { ApiError, textOf } from './errors';

const login = vi.fn();

beforeEach(() => {
  login.mockReset();
  setLoginNavigation(login);
  storedToken.write('secret');
  storedUser.write({ name: 'Meera', email: 'm@example.com', is_photographer: true });
  storedSelectedEvent.write({ id: 'e1', name: 'Sangeet', date: '2026-11-14', slug: 's' });
});

describe('the shared client', () => {
  it('calls its own host with the stored token [API001] [API003]', async () => {
    const server = mockServer({ 'GET /api/photos/count': () => json({ total_count: 3 }) });
    const count = await answerOf(api.GET('/api/photos/count'), 'no');
    expect(count.total_count).toBe(3);
    expect(server.calls[0]?.headers.get('Authorization')).toBe('Bearer secret');
  });

  it('sends no header without a token [API004]', async () => {
    storedToken.remove();
    const server = mockServer({ 'GET /api/photos/count': () => json({ total_count: 0 }) });
    await api.GET('/api/photos/count');
    expect(server.calls[0]?.headers.has('Authorization')).toBe(false);
  });

  it('forgets the login on a 401 and goes to /login [API005] [NAV056]', async () => {
    mockServer({ 'GET /api/events/': () => errorResponse(401, 'Please log in to continue.') });
    await expect(answerOf(api.GET('/api/events/'), 'no')).rejects.toThrow('Please log in to continue.');
    expect(localStorage).toHaveLength(0);
    expect(login).toHaveBeenCalledOnce();
  });

  it('leaves everything as it is on the 401 of a wrong login [AUTH010]', async () => {
    mockServer({ 'POST /api/auth/login': () => errorResponse(401, 'Invalid email or password') });
    const call = api.POST('/api/auth/login', { body: { email: 'm@example.com', password: 'wrong!' } });
    await expect(answerOf(call, 'Login failed')).rejects.toThrow('Invalid email or password');
    expect(storedToken.read()).toBe('secret');
    expect(login).not.toHaveBeenCalled();
  });

  it('falls back to the default text without a readable body [ERR017]', async () => {
    mockServer({ 'GET /api/events/': () => errorResponse(500) });
    const error: unknown = await answerOf(api.GET('/api/events/'), 'Failed to load events').catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(textOf(error, '')).toBe('Failed to load events');
    expect(error).toMatchObject({ status: 500, serverText: undefined });
  });

  it('tells a lost network from an answer', async () => {
    mockServer({});
    await expect(answerOf(api.GET('/api/events/'), 'Failed to load events')).rejects.toMatchObject({
      status: 0,
      message: 'Failed to load events',
    });
  });

  it('gives up after 300000 ms [API002] [CONST014]', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    mockServer({ 'GET /api/photos/count': () => json({ total_count: 0 }) });
    await api.GET('/api/photos/count');
    expect(clientTimeout).toBe(300_000);
    expect(timeout).toHaveBeenCalledWith(300_000);
  });
});
