import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import EventsPage from './EventsPage';
import { signInAsAdministrator } from './testing';

const path = '/admin/administration/events';
const call = 'GET /api/administration/events';
const event = (id: string, overrides: object = {}) => ({
  id,
  name: `Event ${id}`,
  slug: `slug-${id}`,
  date: '2026-11-20',
  owner: { id: 'a1', email: 'meera@studio.example', name: 'Meera' },
  photos: 1200,
  bytes: 5_368_709_120,
  expires_at: '2027-01-07T10:00:00Z',
  deleting: false,
  ...overrides,
});

beforeEach(signInAsAdministrator);

describe('events by size', () => {
  it('lists them with owner, size and until when they are kept, and more on demand', async () => {
    const server = mockServer({
      [call]: ({ query }) =>
        json(
          query.get('cursor') === null
            ? { events: [event('1'), event('2', { expires_at: null, deleting: true })], next_cursor: 'c' }
            : { events: [event('3')], next_cursor: null },
        ),
    });
    renderScreen(<EventsPage />, path);
    const table = within(await screen.findByRole('table', { name: 'Events by size' }));
    const rows = () => table.getAllByRole('row').map((row) => within(row));
    expect(rows()[1]?.getByRole('link', { name: 'Event 1' })).toHaveAttribute('href', '/event/slug-1');
    expect(rows()[1]?.getByRole('link', { name: 'meera@studio.example' })).toHaveAttribute(
      'href',
      '/admin/administration/accounts/a1',
    );
    expect(rows()[1]?.getByText('5.0 GB')).toBeVisible();
    expect(rows()[1]?.getByText('7 Jan 2027')).toBeVisible();
    expect(rows()[2]?.getByText('For ever')).toBeVisible();
    expect(rows()[2]?.getByText('Deleting...')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('Event 3')).toBeVisible();
    expect(server.callsTo(call)[1]?.query.get('cursor')).toBe('c');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('says that there are none, or that they could not be loaded', async () => {
    const answers = [() => errorResponse(500), () => json({ events: [], next_cursor: null })];
    mockServer({ [call]: () => (answers.shift() ?? (() => errorResponse(500)))() });
    renderScreen(<EventsPage />, path);
    expect(await screen.findByText('The events could not be loaded. Please try again.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No events yet')).toBeVisible();
  });
});
