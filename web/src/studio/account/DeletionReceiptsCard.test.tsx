import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveBlob } from '../../ui/saveFile';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { DeletionReceiptsCard } from './DeletionReceiptsCard';

vi.mock('../../ui/saveFile');

const receipt = {
  id: '01',
  event_name: 'Meera & Arjun',
  completed_at: '2026-11-20T09:05:00Z',
  photos: 12,
  document: '{"receipt": {}, "jws": "e30"}',
};

beforeEach(() => {
  signIn();
  vi.mocked(saveBlob).mockClear();
});

describe('receipts of deletions', () => {
  it('are saved as they were signed', async () => {
    mockServer({ 'GET /api/auth/deletion-receipts': () => json({ receipts: [receipt] }) });
    renderScreen(<DeletionReceiptsCard />, '/admin/account');
    expect(await screen.findByText(/^12 photos, removed on .*2026/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Save receipt Meera & Arjun' }));
    const [blob = new Blob(), name] = vi.mocked(saveBlob).mock.calls[0] ?? [];
    expect(name).toBe('deletion-receipt-01.json');
    const reader = new FileReader();
    reader.readAsText(blob);
    await vi.waitFor(() => expect(reader.result).toBe(receipt.document));
  });

  it('take no place while there are none', async () => {
    const server = mockServer({ 'GET /api/auth/deletion-receipts': () => json({ receipts: [] }) });
    const { container } = renderScreen(<DeletionReceiptsCard />, '/admin/account');
    await vi.waitFor(() => expect(server.callsTo('GET /api/auth/deletion-receipts')).toHaveLength(1));
    expect(container.querySelector('section')).toBeNull();
  });

  it('say that they could not be loaded', async () => {
    mockServer({ 'GET /api/auth/deletion-receipts': () => errorResponse(500) });
    renderScreen(<DeletionReceiptsCard />, '/admin/account');
    expect(await screen.findByText('The receipts could not be loaded.')).toBeVisible();
  });
});
