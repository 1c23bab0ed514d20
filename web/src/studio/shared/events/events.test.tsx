import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSession } from '../../../platform/session/session';
import { storedToken, storedUser } from '../../../platform/storage/storage';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderScreen } from '../../../testing/render';
import { mockServer } from '../../../testing/server';
import { deletingEventsQuery, eventQuery, newestEventQuery, useEventList, useEventPages } from './events';

function EventCount() {
  const session = useSession();
  const count = useEventPages('').events?.length ?? 0;
  const one = useQuery(eventQuery(session, 'e1')).data?.name ?? 'none';
  useEventList(newestEventQuery(session));
  useEventList(deletingEventsQuery(session));
  return <p>{`${String(count)} events, ${one}`}</p>;
}

const guest = { name: 'Guest', email: 'guest@example.com', is_photographer: false };
const photographer = { ...guest, is_photographer: true };

it('fetches the events only with both a token and a photographer stored; everyone else has none [NAV054] [API031] [API032]', async () => {
  const server = mockServer(listing(() => [anEvent()]));
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
    expect(screen.getByText('0 events, none')).toBeVisible();
  }
  act(() => void storedToken.write('a'));
  expect(await screen.findByText('1 events, Sangeet')).toBeVisible();
  expect(server.calls).toHaveLength(4);
  for (const { headers } of server.calls) expect(headers.get('Authorization')).toBe('Bearer a');
});
