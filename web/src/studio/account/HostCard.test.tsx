import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { HostCard } from './HostCard';

const route = '/api/studio/host';
const host = {
  name: 'bilder.red-fort.example',
  record: { name: '_afterglow.bilder.red-fort.example', value: 'afterglow-host=abc' },
  proved_at: null,
  seen_at: null,
};
const answer = (overrides = {}) =>
  json({ offered: true, host: null, target: 'photos.example.com', ...overrides });
const proved = { ...host, proved_at: '2026-11-14T12:00:00Z', seen_at: '2026-11-14T12:00:00Z' };

beforeEach(signIn);

describe('the own address of a studio', () => {
  it('is not there where the operator offers none [BRAND054]', async () => {
    const { calls } = mockServer({ [`GET ${route}`]: () => answer({ offered: false }) });
    renderScreen(<HostCard />, '/admin/account');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('says which records it needs, and whether they are there [BRAND054]', async () => {
    const proofs = [
      () => errorResponse(409, 'The TXT record is not there yet.', 'host_record_missing'),
      () => answer({ host: proved }),
    ];
    const { calls } = mockServer({
      [`GET ${route}`]: () => answer(),
      [`PUT ${route}`]: () => answer({ host }),
      [`POST ${route}/proof`]: () => (proofs.shift() ?? (() => errorResponse(500)))(),
    });
    renderScreen(<HostCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Add your own address' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Address' }), { target: { value: host.name } });
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    expect(await screen.findByText('Address saved.')).toBeVisible();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ name: host.name });
    for (const value of [host.record.name, host.record.value, 'photos.example.com'])
      expect(screen.getByText(value)).toBeVisible();

    const check = screen.getByRole('button', { name: 'Check the records' });
    fireEvent.click(check);
    expect(await screen.findByText('The TXT record is not there yet.')).toBeVisible();
    fireEvent.click(check);
    expect(await screen.findByText(/Links and QR codes of your events lead there/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Check the records' })).toBeNull();
  });

  it('copies a record, and says so [BRAND054]', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    Object.assign(navigator, { clipboard: { writeText } });
    mockServer({ [`GET ${route}`]: () => answer({ host }) });
    renderScreen(<HostCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Copy Value of the TXT record' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(writeText).toHaveBeenCalledWith('afterglow-host=abc');
  });

  it('says what is wrong with it, and can be removed [BRAND054]', async () => {
    mockServer({
      [`GET ${route}`]: () => answer({ host: proved }),
      [`PUT ${route}`]: () => errorResponse(400, 'Please enter a host name', 'host_invalid'),
      [`DELETE ${route}`]: () => answer(),
    });
    renderScreen(<HostCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Change the address' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Address' }), { target: { value: 'photos' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    expect(await screen.findByText('Please enter a host name')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Remove address' }));
    expect(await screen.findByText('Address removed.')).toBeVisible();
    expect(screen.getByText(/Guests open your events at an address of your studio/)).toBeVisible();
  });

  it('that cannot be loaded says so, and is asked for again [BRAND054]', async () => {
    const answers = [() => errorResponse(500), () => answer()];
    mockServer({ [`GET ${route}`]: () => (answers.shift() ?? (() => answer()))() });
    renderScreen(<HostCard />, '/admin/account');
    expect(await screen.findByText('Your own address could not be loaded.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Add your own address' }));
    expect(await screen.findByText(/Guests open your events/)).toBeVisible();
  });
});
