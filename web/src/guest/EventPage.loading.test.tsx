import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { passUntil } from '../testing/passUntil';
import { errorResponse, json } from '../testing/server';
import { eventBody, eventRoute, mockFormServer, renderEventPage } from './testing';
import { lateAnswer } from './useEvent';

const user = userEvent.setup();

describe('the event', () => {
  test('[FACE001] [FACE002] [FACE004] [FACE066] is loaded by its slug and shown', async () => {
    let deliver: (response: Response) => void = () => undefined;
    const server = mockFormServer({ [eventRoute]: () => new Promise((resolve) => (deliver = resolve)) });
    renderEventPage();
    expect(await screen.findByRole('status')).toHaveTextContent('Loading the event');
    await waitFor(() => expect(server.calls).toHaveLength(1));
    deliver(json(eventBody()));
    expect(await screen.findByRole('heading', { level: 1, name: 'Aanya & Rohan' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
    expect(screen.getByText('Saturday, 14 November 2026')).toBeVisible();
    expect(screen.getByText('Sangeet night at the lake.')).toBeVisible();
    expect(screen.getByText('412 of 900 photos searchable')).toBeVisible();
  });

  test('[FACE003] [FACE078] redirects to / with a notice when there is no such event', async () => {
    mockFormServer({ [eventRoute]: () => errorResponse(404, 'Event not found') });
    const { onMissing } = renderEventPage();
    await waitFor(() => expect(onMissing).toHaveBeenCalledOnce());
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test.each([
    ['a server error', () => errorResponse(503, 'The service is busy. Please try again later.')],
    ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an answer that cannot be read', () => new Response('<html>', { status: 200 })],
  ])('[FACE079] after %s says so and tries again by itself', async (_, failure) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let answer: () => Response | Promise<Response> = failure;
    const server = mockFormServer({ [eventRoute]: () => answer() });
    const { onMissing } = renderEventPage();
    expect(await screen.findByText(/could not be loaded. Trying again/)).toBeVisible();
    expect(server.calls).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(2100));
    // The pause begins after the text is there.
    await waitFor(() => expect(server.calls).toHaveLength(2));
    // The pauses grow: 4 s follow 2 s.
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(server.calls).toHaveLength(2);
    expect(screen.getByText(/could not be loaded. Trying again/)).toBeVisible();
    answer = () => json(eventBody());
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect(await screen.findByRole('heading', { level: 1, name: 'Aanya & Rohan' })).toBeVisible();
    expect(onMissing).not.toHaveBeenCalled();
    vi.useRealTimers();
  });

  test('[FACE131] that does not come is said after 5 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    mockFormServer({ [eventRoute]: () => new Promise<Response>(() => undefined) });
    renderEventPage();
    await vi.advanceTimersByTimeAsync(lateAnswer - 100);
    expect(screen.queryByText(/The connection is slow/)).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(200);
    expect(await screen.findByText(/The connection is slow/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
    vi.useRealTimers();
  });

  test('[FACE132] without photos wakes up when they arrive', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let total = 0;
    mockFormServer({
      [eventRoute]: () =>
        json(
          eventBody({ indexing: { indexed: Math.min(total, 80), waiting: total && 10, failed: 0, total } }),
        ),
    });
    renderEventPage();
    expect(await screen.findByText(/photos are not here yet/)).toBeVisible();
    expect(screen.queryByText(/in seconds/)).not.toBeInTheDocument();
    total = 90;
    await passUntil(() => screen.queryByText('80 of 90 photos searchable') !== null);
    vi.useRealTimers();
  });

  test('says how far indexing is only while photos wait', async () => {
    mockFormServer({
      [eventRoute]: () => json(eventBody({ indexing: { indexed: 89, waiting: 0, failed: 1, total: 90 } })),
    });
    renderEventPage();
    expect(await screen.findByRole('button', { name: 'Remove me from the photos' })).toBeVisible();
    expect(screen.queryByText(/photos searchable/)).not.toBeInTheDocument();
  });

  test('says until when its photos stay', async () => {
    mockFormServer({ [eventRoute]: () => json(eventBody({ expires_at: '2026-12-20T10:00:00Z' })) });
    renderEventPage();
    expect(await screen.findByText('The photos stay here until 20 Dec 2026.')).toBeVisible();
  });

  test('says until when more photos are coming, or that they are complete [EVT185]', async () => {
    mockFormServer({ [eventRoute]: () => json(eventBody({ coming_until: '2026-12-12' })) });
    const { unmount } = renderEventPage();
    expect(await screen.findByText('More photos are coming until 12 Dec 2026.')).toBeVisible();
    unmount();
    mockFormServer({ [eventRoute]: () => json(eventBody({ complete: true })) });
    const complete = renderEventPage();
    expect(await screen.findByText('The photos are complete. No more are coming.')).toBeVisible();
    complete.unmount();
    mockFormServer({ [eventRoute]: () => json(eventBody({ expires_at: '2026-12-20T10:00:00Z' })) });
    renderEventPage();
    expect(await screen.findByText('The photos stay here until 20 Dec 2026.')).toBeVisible();
    expect(screen.queryByText(/coming|complete/)).toBeNull();
  });

  test('[FACE079] is requested at once by Try again', async () => {
    let answer = () => errorResponse(502);
    const server = mockFormServer({ [eventRoute]: () => answer() });
    renderEventPage();
    const button = await screen.findByRole('button', { name: 'Try again' });
    answer = () => json(eventBody());
    await user.click(button);
    expect(await screen.findByRole('heading', { level: 1, name: 'Aanya & Rohan' })).toBeVisible();
    expect(server.callsTo(eventRoute)).toHaveLength(2);
  });
});
