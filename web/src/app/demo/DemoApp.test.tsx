import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ComponentType } from 'react';
import { anEvent } from '../../testing/fixtures';
import { startDemo } from './DemoApp';

const real = {
  token: 'real',
  user: JSON.stringify({ name: 'Asha', email: 'asha@studio.example', is_photographer: true }),
  selectedEvent: JSON.stringify(anEvent()),
};
const fetchSpy = vi.fn(() => Promise.reject(new Error('no request leaves the demo')));

let DemoApp: ComponentType;

beforeEach(() => {
  DemoApp = startDemo();
  for (const [key, text] of Object.entries(real)) localStorage.setItem(key, text);
  vi.stubGlobal('fetch', fetchSpy);
});

function open(path: string) {
  window.history.replaceState(null, '', `/demo${path}`);
  render(<DemoApp />);
}

const stored = () => Object.fromEntries(Object.keys(real).map((key) => [key, localStorage.getItem(key)]));

it('shows the dashboard on sample data, with the numbers of the sample event, and leads to the other screens', async () => {
  const warn = vi.spyOn(console, 'warn');
  open('/admin/overview');
  expect(await screen.findByRole('heading', { name: /, Mira$/ })).toBeVisible();
  expect(screen.getByRole('complementary', { name: 'Demo' })).toHaveTextContent('sample data');
  expect(await screen.findByText('Sample event: 210 of 247 photos searchable.')).toBeVisible();
  expect(Math.round((100 * 210) / 247)).toBe(85);
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(bar.getByRole('link', { name: 'Gallery' })).toHaveAttribute(
    'href',
    '/demo/admin/gallery?event=sample',
  );
  fireEvent.click(bar.getByRole('link', { name: 'Gallery' }));
  expect(await screen.findByText('247 photos')).toBeVisible();
  expect(window.location.pathname).toBe('/demo/admin/gallery');
  fireEvent.click(bar.getByRole('link', { name: 'Events' }));
  expect(await screen.findByRole('article', { name: 'A day by the sea' })).toBeVisible();
  expect(warn).not.toHaveBeenCalled();
});

it('deletes an event and takes an upload, and sends and stores nothing [PUB055]', async () => {
  open('/admin/events');
  const card = within(await screen.findByRole('article', { name: 'A day by the sea' }));
  fireEvent.click(card.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: /^Delete/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('article', { name: 'A day by the sea' })).toBeNull();

  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 600, height: 400 }));
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:demo', revokeObjectURL: () => undefined }),
  );
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
  fireEvent.click(bar.getByRole('link', { name: 'Upload' }));
  const file = new File(['x'], 'mine.jpg', { type: 'image/jpeg' });
  fireEvent.change(await screen.findByLabelText('Choose photos'), { target: { files: [file] } });
  expect(await screen.findByRole('region', { name: 'Share the link' })).toBeVisible();
  fireEvent.click(bar.getByRole('link', { name: 'Gallery' }));
  expect(await screen.findByText('248 photos')).toBeVisible();

  expect(fetchSpy).not.toHaveBeenCalled();
  expect(stored()).toEqual(real);
  expect(sessionStorage).toHaveLength(0);
});

it('says so where the demo has no server for something', async () => {
  open('/admin/account');
  fireEvent.click(await screen.findByRole('button', { name: 'Change Email' }));
  fireEvent.change(screen.getByLabelText('New email'), { target: { value: 'new@studio.example' } });
  fireEvent.change(screen.getByLabelText(/^Confirm/), { target: { value: 'new@studio.example' } });
  fireEvent.change(screen.getByLabelText('Current Password (optional)'), { target: { value: 'any' } });
  fireEvent.click(screen.getByRole('button', { name: 'Update Email' }));
  expect(await screen.findByText(/This is the demo/)).toBeVisible();
});
