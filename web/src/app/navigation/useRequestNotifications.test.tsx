import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { NavigationBar } from './NavigationBar';

beforeEach(signIn);

describe("guests' requests in the bell", () => {
  const request = (id: string, event_id: string, seen = false) => ({
    id,
    event_id,
    choice: 'hide',
    created_at: '2026-11-20T09:00:00Z',
    seen,
  });

  /** Answers `requests` until they are seen. */
  function renderWith(requests: ReturnType<typeof request>[]) {
    let current = requests;
    const see = (id: string) => () => {
      const event = current.find((each) => each.id === id)?.event_id;
      current = current.map((each) => (each.event_id === event ? { ...each, seen: true } : each));
      return new Response(null, { status: 204 });
    };
    const server = mockServer({
      ...listing(() => [anEvent({ id: 'e1', name: 'Sangeet' }), anEvent({ id: 'e2', name: 'Dinner' })]),
      'GET /api/objections': () => json({ objections: current }),
      ...Object.fromEntries(requests.map(({ id }) => [`PUT /api/objections/${id}/seen`, see(id)])),
    });
    const view = renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    return { ...view, server };
  }
  const three = [request('o3', 'e2'), request('o2', 'e2'), request('o1', 'e1'), request('o0', 'e1', true)];
  const openBell = async (unread: number) =>
    userEvent.click(await screen.findByRole('button', { name: `Notifications, ${unread} unread` }));

  it('are one notification for each event, which leads to them and is then read everywhere [NOTE028] [NOTE029]', async () => {
    const { server, router } = renderWith(three);
    await openBell(2);
    expect(
      screen.getByText('1 new request in Sangeet: a guest asked to be removed from photos.'),
    ).toBeVisible();
    await userEvent.click(
      screen.getByText('2 new requests in Dinner: guests asked to be removed from photos.'),
    );
    await waitFor(() => expect(router.state.location.search).toBe('?event=e2'));
    expect(router.state.location.pathname).toBe('/admin/guests');
    expect(server.callsTo('PUT /api/objections/o3/seen')).toHaveLength(1);
  });

  it('are seen when they are marked read, removed or cleared [NOTE032]', async () => {
    const { server } = renderWith(three);
    await openBell(2);
    await userEvent.click(
      screen.getAllByRole('button', { name: 'Remove Requests of guests' })[1] as HTMLElement,
    );
    await waitFor(() => expect(server.callsTo('PUT /api/objections/o3/seen')).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Clear All' }));
    await waitFor(() => expect(server.callsTo('PUT /api/objections/o1/seen')).toHaveLength(1));
    expect(await screen.findByText('No notifications')).toBeVisible();
  });

  it('come back when it could not be saved that they were seen [NOTE032]', async () => {
    mockServer({
      ...listing(() => [anEvent({ id: 'e1', name: 'Sangeet' }), anEvent({ id: 'e2', name: 'Dinner' })]),
      'GET /api/objections': () => json({ objections: three }),
      'PUT /api/objections/o3/seen': () => errorResponse(500),
      'PUT /api/objections/o1/seen': () => errorResponse(500),
    });
    renderScreen(<NavigationBar tone="solid" />, '/admin/overview');
    await openBell(2);
    await userEvent.click(screen.getByRole('button', { name: 'Clear All' }));
    expect(await screen.findAllByText('Requests of guests')).toHaveLength(2);
  });
});
