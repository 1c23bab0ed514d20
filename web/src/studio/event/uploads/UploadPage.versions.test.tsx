import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { json } from '../../../testing/server';
import { accepted, choose, image, renderPage, resetUploads, settle, uploads } from './testing';

const event = anEvent({ total_photos_uploaded: 3 });

describe('/admin/upload with files of the names of photos that are there', () => {
  beforeEach(() => {
    resetUploads();
    signIn();
    selectEvent(event);
  });

  const renderWith = async (credits: number, names: readonly string[], free = true) => {
    renderPage({
      ...listing(() => [event]),
      'GET /api/subscription/credits': () =>
        json({ credits, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
      'POST /api/photos/versions': () =>
        json({ versions: names.map((name) => ({ name, photo_id: name, filename: name, free })) }),
    });
    await screen.findByText(new RegExp(`${credits} left`));
  };

  it('asks before the first byte, and replaces [UPL245]', async () => {
    await renderWith(100, ['a.jpg', 'b.jpg']);
    await choose(image('a.jpg'), image('b.jpg'), image('c.jpg'));
    const replace = await screen.findByRole('button', { name: 'Replace 2 edited photos' });
    expect(screen.getByText('2 photos are in this event already, in another version.')).toBeVisible();
    expect(
      screen.getByText(/keeps its place, its album and its hearts\. Replacing costs nothing\./),
    ).toBeVisible();
    expect(uploads.requests).toHaveLength(0);
    fireEvent.click(replace);
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
    expect(uploads.requests.map(({ replaces }) => replaces)).toEqual([true, true, false]);
    expect(screen.queryByRole('button', { name: 'Keep both' })).toBeNull();
    await settle(accepted, accepted, accepted);
    expect(await screen.findAllByText('Replaced')).toHaveLength(2);
  });

  it('keeps both where that is wanted [UPL245]', async () => {
    await renderWith(100, ['a.jpg']);
    await choose(image('a.jpg'));
    expect(await screen.findByRole('button', { name: 'Replace 1 edited photo' })).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Keep both' }));
    await waitFor(() => expect(uploads.requests.map(({ replaces }) => replaces)).toEqual([false]));
  });

  it('asks about the credit afterwards, and for new photos alone [UPL245] [UPL241]', async () => {
    await renderWith(1, ['a.jpg', 'b.jpg']);
    await choose(...['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map(image));
    fireEvent.click(await screen.findByRole('button', { name: 'Replace 2 edited photos' }));
    expect(
      await screen.findByText('This batch is larger than your credit: 2 photos, 1 credit.'),
    ).toBeVisible();
    expect(uploads.requests).toHaveLength(0);
  });

  it('begins by itself where the credit covers the new ones', async () => {
    await renderWith(1, ['a.jpg', 'b.jpg']);
    await choose(...['a.jpg', 'b.jpg', 'c.jpg'].map(image));
    const replace = await screen.findByRole('button', { name: 'Replace 2 edited photos' });
    expect(screen.queryByText(/larger than your credit/)).toBeNull();
    fireEvent.click(replace);
    await waitFor(() => expect(uploads.requests).toHaveLength(3));
  });

  it('says what is paid for after 30 days', async () => {
    await renderWith(100, ['a.jpg'], false);
    await choose(image('a.jpg'));
    expect(await screen.findByText(/1 of them is older than 30 days and costs a credit\./)).toBeVisible();
  });
});
