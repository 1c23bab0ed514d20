import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { creditsKey } from '../../shared/credits/credits';
import { choose, image, renderPage, resetUploads, uploads } from './testing';

describe('/admin/upload with little credit', () => {
  beforeEach(() => {
    resetUploads();
    signIn();
    selectEvent(anEvent());
  });

  let credits = 0;
  const renderWith = async (balance: number) => {
    credits = balance;
    const { client } = renderPage();
    mockServer({
      ...listing(() => [anEvent()]),
      'GET /api/subscription/credits': () =>
        json({ credits, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
      'POST /api/photos/versions': () => json({ versions: [] }),
      'HEAD /api/health': () => new Response(null),
    });
    await act(() => client.refetchQueries({ queryKey: creditsKey }));
    await screen.findByText(new RegExp(`${balance} left`));
    return client;
  };

  it('warns at once when a batch is larger than the credit [UPL098]', async () => {
    const client = await renderWith(2);
    await choose(image('a.jpg'), image('b.jpg'));
    expect(screen.queryByText(/larger than your credit/)).toBeNull();
    await choose(image('c.jpg'));
    expect(
      await screen.findByText('This batch is larger than your credit: 3 photos, 2 credits.'),
    ).toBeVisible();
    expect(screen.getByText(/1 credit is missing\./)).toBeVisible();
    credits = 102;
    await act(() => client.refetchQueries({ queryKey: creditsKey }));
    await waitFor(() => expect(screen.queryByText(/larger than your credit/)).toBeNull());
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
  });

  it('sends nothing while the balance is on its way, and warns once it is there [UPL241]', async () => {
    let answer: (response: Response) => void = () => undefined;
    renderPage({ 'GET /api/subscription/credits': () => new Promise<Response>((done) => (answer = done)) });
    await choose(image('a.jpg'), image('b.jpg'), image('c.jpg'));
    expect(await screen.findByText('c.jpg')).toBeVisible();
    expect(uploads.requests).toHaveLength(0);
    answer(
      json({ credits: 2, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    );
    expect(
      await screen.findByText('This batch is larger than your credit: 3 photos, 2 credits.'),
    ).toBeVisible();
    expect(uploads.requests).toHaveLength(0);
  });

  it('sends a batch whose balance cannot be learned', async () => {
    renderPage({ 'GET /api/subscription/credits': () => errorResponse(500) });
    await choose(image('a.jpg'), image('b.jpg'));
    await waitFor(() => expect(uploads.requests.length).toBeGreaterThan(0));
  });

  it('sends nothing of a larger batch until that is decided, however large it is [UPL241]', async () => {
    await renderWith(200);
    await choose(...Array.from({ length: 303 }, (_, at) => image(`${at}.jpg`)));
    expect(
      await screen.findByText('This batch is larger than your credit: 303 photos, 200 credits.'),
    ).toBeVisible();
    expect(screen.getByText(/103 credits are missing\./)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Resume' })).toBeVisible();
    expect(uploads.requests).toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: 'Upload the first 200 photos' }));
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    expect(screen.queryByText(/larger than your credit/)).toBeNull();
  });
});
