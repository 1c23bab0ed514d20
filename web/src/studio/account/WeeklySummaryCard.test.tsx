import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { WeeklySummaryCard } from './WeeklySummaryCard';

const route = '/api/auth/weekly-summary';
const name = 'On Mondays, mail me what my events need from me';

beforeEach(signIn);

describe('the weekly mail', () => {
  it('is off, and is switched on', async () => {
    const { calls } = mockServer({
      [`GET ${route}`]: () => json({ wanted: false }),
      [`PUT ${route}`]: () => json({ wanted: true }),
    });
    renderScreen(<WeeklySummaryCard />, '/admin/account');
    const choice = screen.getByRole('switch', { name });
    await waitFor(() => expect(choice).toBeEnabled());
    expect(choice).not.toBeChecked();
    fireEvent.click(choice);
    await waitFor(() => expect(choice).toBeChecked());
    expect(calls.some(({ method }) => method === 'PUT')).toBe(true);
  });

  it('says that it could not be saved, and shows what holds', async () => {
    mockServer({
      [`GET ${route}`]: () => json({ wanted: true }),
      [`PUT ${route}`]: () => errorResponse(500),
    });
    renderScreen(<WeeklySummaryCard />, '/admin/account');
    const choice = screen.getByRole('switch', { name });
    await waitFor(() => expect(choice).toBeChecked());
    fireEvent.click(choice);
    expect(await screen.findByText('The setting could not be saved. Please try again.')).toBeVisible();
    expect(choice).toBeChecked();
  });

  it('says that it could not be loaded', async () => {
    mockServer({ [`GET ${route}`]: () => errorResponse(500) });
    renderScreen(<WeeklySummaryCard />, '/admin/account');
    expect(await screen.findByText('The setting could not be loaded. Please try again.')).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
