import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSession } from '../session/session';
import { storedToken, storedUser } from '../storage';
import { anEvent } from '../testing/fixtures';
import { renderScreen } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { eventsQuery } from './queries';

function EventCount() {
  const events = useQuery(eventsQuery(useSession()));
  return <p>{events.data?.length ?? 0} events</p>;
}

const guest = { name: 'Guest', email: 'guest@example.com', is_photographer: false };
const photographer = { ...guest, is_photographer: true };

it('fetches the events only with both a token and a photographer stored; everyone else has none [NAV054] [API031] [API032]', async () => {
  const server = mockServer({ 'GET /api/events/': () => json([anEvent()]) });
  renderScreen(<EventCount />);
  const sessions: [string | null, typeof guest | null][] = [
    [null, null],
    ['a', null],
    ['a', guest],
    [null, photographer],
  ];
  for (const [token, user] of sessions) {
    act(() => {
      if (token === null) storedToken.remove();
      else storedToken.write(token);
      if (user === null) storedUser.remove();
      else storedUser.write(user);
    });
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(server.calls).toHaveLength(0);
    expect(screen.getByText('0 events')).toBeVisible();
  }
  act(() => void storedToken.write('a'));
  expect(await screen.findByText('1 events')).toBeVisible();
  expect(server.callsTo('GET /api/events/')[0]?.headers.get('Authorization')).toBe('Bearer a');
});
