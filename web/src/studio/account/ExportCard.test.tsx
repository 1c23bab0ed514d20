import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveFile } from '../../ui/saveFile';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { ExportCard } from './ExportCard';

vi.mock('../../ui/saveFile');

const made = {
  download_token: 'a-b_c',
  expires_at: '2026-11-21T09:00:00Z',
  size_bytes: 3_500_000,
  photos: 1234,
  missing: 0,
};

function renderCard(handler: () => Response | Promise<Response>) {
  const server = mockServer({ 'POST /api/auth/export': handler });
  renderScreen(<ExportCard />, '/admin/account');
  return server;
}

const card = () => within(screen.getByRole('region', { name: 'Download my data' }));
const open = () => fireEvent.click(card().getByRole('button', { name: 'Download' }));
const type = (password: string) =>
  fireEvent.change(card().getByLabelText('Password'), { target: { value: password } });
const prepare = () => card().getByRole('button', { name: 'Prepare the ZIP' });

beforeEach(() => {
  signIn();
  vi.mocked(saveFile).mockClear();
});

describe('the export of an account', () => {
  it('asks for the password, and leaves the ZIP to the browser [ACC185]', async () => {
    let answer: (response: Response) => void = () => undefined;
    const server = renderCard(() => new Promise((resolve) => (answer = resolve)));
    expect(card().queryByLabelText('Password')).toBeNull();
    open();
    expect(prepare()).toBeDisabled();
    type('secret1');
    fireEvent.click(prepare());
    expect(await card().findByText(/^Your data is being gathered\./)).toBeVisible();
    fireEvent.submit(card().getByLabelText('Password'));
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.body).toEqual({ password: 'secret1' });
    expect(saveFile).not.toHaveBeenCalled();
    answer(json(made, 201));
    const started = 'The ZIP with your data and your 1,234 photos is downloading, 3.3 MB.';
    expect(await card().findByText(started)).toBeVisible();
    expect(saveFile).toHaveBeenCalledExactlyOnceWith('/api/auth/export/a-b_c.zip', '');
    expect(card().queryByLabelText('Password')).toBeNull();
    expect(card().getByText(/The link works until .*21.*2026/)).toBeVisible();
    const link = card().getByRole('link', { name: 'Download again' });
    expect(link).toHaveAttribute('href', '/api/auth/export/a-b_c.zip');
    expect(link).toHaveAttribute('download');
    // Opened again, it begins anew.
    open();
    expect(card().getByLabelText('Password')).toHaveValue('');
    expect(card().queryByText(started)).toBeNull();
  });

  it.each([
    [{ photos: 0 }, 'You have no photos. The ZIP with your data is downloading, 3.3 MB.', null],
    [{ photos: 1 }, 'The ZIP with your data and your photo is downloading, 3.3 MB.', null],
    [{ missing: 1 }, null, 'One photo is not in it. The file data.json in the ZIP says why.'],
    [{ missing: 2 }, null, '2 photos are not in it. The file data.json in the ZIP says which and why.'],
  ])('says what is in the ZIP: %o [ACC199]', async (differences, started, missing) => {
    renderCard(() => json({ ...made, ...differences }, 201));
    open();
    type('secret1');
    fireEvent.click(prepare());
    expect(await card().findByText(/is downloading, 3\.3 MB\.$/)).toBeVisible();
    if (started !== null) expect(card().getByText(started)).toBeVisible();
    if (missing === null) expect(card().queryByText(/not in it/)).toBeNull();
    else expect(card().getByText(missing)).toBeVisible();
  });

  it('says why there is none [ACC200]', async () => {
    const wait = 'Too many requests. Please try again in 24 hours.';
    const answers = [
      errorResponse(400, 'Invalid current password'),
      errorResponse(429, wait),
      errorResponse(500),
    ];
    renderCard(() => answers.shift() ?? errorResponse(500));
    open();
    type('secret1');
    for (const text of [
      'Invalid current password',
      wait,
      'Your data could not be gathered. Please try again.',
    ]) {
      fireEvent.click(prepare());
      expect(await card().findByText(text)).toBeVisible();
    }
    expect(saveFile).not.toHaveBeenCalled();
    fireEvent.click(card().getByRole('button', { name: 'Cancel' }));
    open();
    expect(card().queryByRole('alert')).toBeNull();
    expect(card().getByLabelText('Password')).toHaveValue('');
  });
});
