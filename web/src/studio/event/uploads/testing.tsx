import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Outlet } from 'react-router';
import { expect, vi } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import UploadPage from './UploadPage';
import { UploadsProvider } from './UploadsProvider';

/** The upload screen with uploads that stay pending until the test settles them. */

const hoisted = vi.hoisted(() => ({
  settle: [] as ((outcome: unknown) => void)[],
  requests: [] as {
    replaces: boolean;
    signal: AbortSignal;
    onProgress: (sent: number, total: number) => void;
  }[],
}));
vi.mock('../../../platform/api/upload', () => ({
  uploadPhoto: (request: (typeof hoisted.requests)[number]) => {
    hoisted.requests.push(request);
    return new Promise((resolve) => hoisted.settle.push(resolve));
  },
}));
// On a busy machine the latency would decide between one and three uploads at a time.
vi.mock('./connection', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  measureConnection: () => Promise.resolve('fast'),
}));

export const uploads = hoisted;

export const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;
export const image = (name: string) => new File(['x'], name, { type: 'image/jpeg' });

export const provider = (
  <UploadsProvider>
    <Outlet />
  </UploadsProvider>
);

export function renderPage(overrides: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    ...listing(() => [anEvent(), anEvent({ id: 'e2', name: 'Dinner' })]),
    'GET /api/subscription/credits': () =>
      json({ credits: 618, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    'POST /api/photos/versions': () => json({ versions: [] }),
    'HEAD /api/health': () => new Response(null),
    ...overrides,
  });
  return { ...server, ...renderEventScreen(<UploadPage />, '/admin/upload', provider) };
}

export async function choose(...files: File[]) {
  fireEvent.change(await screen.findByLabelText('Choose photos'), { target: { files } });
}

export async function settle(...outcomes: UploadOutcome[]) {
  await waitFor(() => expect(uploads.settle.length).toBeGreaterThanOrEqual(outcomes.length));
  await act(async () => {
    outcomes.forEach((outcome) => uploads.settle.shift()?.(outcome));
    await Promise.resolve();
  });
}

/** To be called before each test. */
export function resetUploads(): void {
  uploads.settle = [];
  uploads.requests = [];
}
