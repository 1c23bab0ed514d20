import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person } from '../../../platform/api/types';
import { selectEvent } from '../../../platform/session/selection';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import { photos, setUpGallery } from '../photos/testing';
import PeoplePage from './PeoplePage';
import { PeopleSwitch } from './PeopleSwitch';

const list = 'GET /api/events/e1/people';

const person = (id: string, count: number, hidden = false): Person => ({
  id,
  photos: count,
  faces: count,
  hidden,
  picture_url: `/files/${id}`,
});

const page = (people: readonly Person[], overrides: object = {}) => ({
  enabled: true,
  people,
  total_count: people.length,
  other_count: 0,
  waiting_faces: 0,
  next_cursor: null,
  ...overrides,
});

const done = () => new Response(null, { status: 204 });

function renderPage(overrides: Parameters<typeof mockServer>[0] = {}, at = '/admin/people?event=e1') {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    [list]: () => json(page([person('a', 12), person('b', 3), person('c', 1)])),
    'GET /api/people/a': () => json(person('a', 3)),
    'GET /api/photos/search': () => json({ photos: photos(3), total_count: 3, next_cursor: null }),
    ...overrides,
  });
  const { router } = renderEventScreen(<PeoplePage />, at);
  return { ...server, router };
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const checkbox = (name: string) => screen.getByRole('checkbox', { name });

beforeEach(() => {
  localStorage.clear();
  setUpGallery();
  selectEvent(anEvent());
});

describe('the people of an event', () => {
  it('are shown with the numbers of their photos, and lead to them', async () => {
    const { router, callsTo } = renderPage();
    const link = await screen.findByRole('link', { name: 'Person 1, 12 photos' });
    expect(screen.getByText('3 people')).toBeVisible();
    expect(within(link).getByRole('presentation')).toHaveAttribute('src', '/files/a');
    expect(screen.getByRole('link', { name: 'Person 3, 1 photo' })).toBeVisible();
    fireEvent.click(link);
    await waitFor(() => expect(router.state.location.search).toBe('?event=e1&person=a'));
    expect(await screen.findByRole('button', { name: /Open DSC_2\.jpg/ })).toBeVisible();
    expect(callsTo('GET /api/photos/search')[0]?.query.get('person_id')).toBe('a');
  });

  it('come in pages', async () => {
    const { callsTo } = renderPage({
      [list]: ({ query }) =>
        json(
          query.get('cursor') === null
            ? page([person('a', 12)], { total_count: 2, next_cursor: '1' })
            : page([person('b', 3)], { total_count: 2 }),
        ),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Show more people' }));
    expect(await screen.findByRole('link', { name: 'Person 2, 3 photos' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more people' })).toBeNull();
    expect(callsTo(list).map(({ query }) => query.get('cursor'))).toEqual([null, '1']);
  });

  it('are merged into the one in most photos', async () => {
    let people = [person('a', 12), person('b', 3), person('c', 1)];
    const { callsTo } = renderPage({
      [list]: () => json(page(people)),
      'POST /api/people/b/merge': done,
      'POST /api/people/c/merge': () => {
        people = [person('a', 16)];
        return done();
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
    fireEvent.click(checkbox('Select person 3, 1 photo'));
    expect(button('Merge')).toBeDisabled();
    expect(screen.getByText('Select another one who is the same person.')).toBeVisible();
    fireEvent.click(checkbox('Select person 1, 12 photos'));
    fireEvent.click(checkbox('Select person 2, 3 photos'));
    expect(checkbox('Select person 2, 3 photos')).toHaveAttribute('aria-checked', 'true');
    expect(screen.getByText('3 people selected')).toBeVisible();
    fireEvent.click(button('Merge'));
    expect(await screen.findByText('They are one person now.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Person 1, 16 photos' })).toBeVisible();
    expect(button('Select')).toHaveFocus();
    for (const id of ['b', 'c'])
      expect(callsTo(`POST /api/people/${id}/merge`).map(({ body }) => body)).toEqual([{ into: 'a' }]);
  });

  it('that could not be merged stay selected, and the reason is said', async () => {
    renderPage({
      'POST /api/people/b/merge': () =>
        errorResponse(404, 'This person is no longer there', 'person_not_found'),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
    fireEvent.click(checkbox('Select person 1, 12 photos'));
    fireEvent.click(checkbox('Select person 2, 3 photos'));
    fireEvent.click(button('Merge'));
    expect(await screen.findByText('This person is no longer there')).toBeVisible();
    expect(screen.getByText('2 people selected')).toBeVisible();
  });

  it('are hidden, listed apart, and shown again', async () => {
    const hidden = new Set<string>();
    const { callsTo } = renderPage({
      [list]: ({ query }) => {
        const all = [person('a', 12), person('b', 3)];
        const wanted = query.get('hidden') === 'true';
        const shown = all.filter(({ id }) => hidden.has(id) === wanted);
        return json(page(shown, { other_count: all.length - shown.length }));
      },
      'PUT /api/people/b': ({ body }) => {
        if ((body as { hidden: boolean }).hidden) hidden.add('b');
        else hidden.delete('b');
        return done();
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
    fireEvent.click(checkbox('Select person 2, 3 photos'));
    fireEvent.click(button('Hide'));
    expect(await screen.findByText('1 person is hidden.')).toBeVisible();
    fireEvent.click(await screen.findByRole('button', { name: 'Hidden (1)' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Select' }));
    fireEvent.click(checkbox('Select person 1, 3 photos'));
    fireEvent.click(button('Show again'));
    expect(await screen.findByText('Nobody is hidden.')).toBeVisible();
    expect(callsTo('PUT /api/people/b').map(({ body }) => body)).toEqual([
      { hidden: true },
      { hidden: false },
    ]);
  });

  it('are said to come while faces wait, or that there are none', async () => {
    let waiting_faces = 7;
    renderPage({ [list]: () => json(page([], { waiting_faces })) });
    expect(await screen.findByText(/^7 faces are not put together yet\./)).toBeVisible();
    waiting_faces = 0;
    window.dispatchEvent(new Event('visibilitychange'));
    expect(await screen.findByText(/^Once faces are found/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Select' })).toBeNull();
  });

  it('that cannot be loaded are said to be, and are tried again', async () => {
    let answer = () => errorResponse(500);
    renderPage({ [list]: () => answer() });
    expect(await screen.findByText('Failed to load the people. Please try again.')).toBeVisible();
    answer = () => json(page([person('a', 12)]));
    fireEvent.click(button('Try again'));
    expect(await screen.findByRole('link', { name: 'Person 1, 12 photos' })).toBeVisible();
  });

  it('that are switched off are said to be, with the way to the setting', async () => {
    renderPage({ [list]: () => json(page([], { enabled: false })) });
    expect(await screen.findByText('People are switched off')).toBeVisible();
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Settings' })).toHaveAttribute(
      'href',
      '/admin/settings?event=e1#keeping',
    );
  });

  it('are switched off, which is asked about, and on again', async () => {
    let enabled = true;
    const { callsTo } = mockServer({
      ...listing(() => [anEvent()]),
      [list]: () => json(page(enabled ? [person('a', 12)] : [], { enabled })),
      'PUT /api/events/e1/people': ({ body }) => {
        enabled = (body as { enabled: boolean }).enabled;
        return done();
      },
    });
    renderEventScreen(<PeopleSwitch />, '/admin/settings?event=e1');
    const control = await screen.findByRole('switch', { name: 'Put faces that are alike together' });
    await waitFor(() => expect(control).toBeChecked());
    fireEvent.click(control);
    const dialog = await screen.findByRole('dialog', { name: 'Switch people off for this event?' });
    expect(callsTo('PUT /api/events/e1/people')).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Switch off' }));
    await waitFor(() => expect(control).not.toBeChecked());
    await waitFor(() => expect(control).toBeEnabled());
    fireEvent.click(control);
    await waitFor(() => expect(control).toBeChecked());
    expect(callsTo('PUT /api/events/e1/people').map(({ body }) => body)).toEqual([
      { enabled: false },
      { enabled: true },
    ]);
  });
});

describe('the photos of a person', () => {
  const at = '/admin/people?event=e1&person=a';

  it('are downloaded as the ZIP that the server prepares', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    renderPage({ 'POST /api/people/a/download': () => json({ download_token: 'a-b_c' }, 201) }, at);
    fireEvent.click(await screen.findByRole('button', { name: 'Download photos' }));
    await waitFor(() => expect(click).toHaveBeenCalled());
    const link = click.mock.instances[0] as HTMLAnchorElement;
    expect(link.getAttribute('href')).toBe('/api/face/download/a-b_c.zip');
  });

  it('are split off where they show somebody else, but not all of them', async () => {
    const { callsTo } = renderPage({ 'POST /api/people/a/split': () => json({ person_id: 'd' }, 201) }, at);
    fireEvent.click(await screen.findByRole('button', { name: 'Split' }));
    expect(screen.getByText('Choose the photos that show somebody else.')).toBeVisible();
    for (const name of ['DSC_0.jpg', 'DSC_1.jpg', 'DSC_2.jpg']) fireEvent.click(checkbox(`Select ${name}`));
    expect(screen.getByText('Leave at least one photo with this person.')).toBeVisible();
    expect(button('Split off')).toBeDisabled();
    fireEvent.click(checkbox('Select DSC_0.jpg'));
    fireEvent.click(button('Split off'));
    expect(await screen.findByText('The 2 photos are of another person now.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Open DSC_1\.jpg/ })).toBeNull();
    expect(button(/Open DSC_0\.jpg/)).toBeVisible();
    expect(callsTo('POST /api/people/a/split').map(({ body }) => body)).toEqual([
      { photo_ids: ['p1', 'p2'] },
    ]);
  });

  it('are hidden with their person, which leads back to the others', async () => {
    const { callsTo, router } = renderPage({ 'PUT /api/people/a': done }, at);
    fireEvent.click(await screen.findByRole('button', { name: 'Hide' }));
    expect(await screen.findByText('The person is hidden.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toBe('?event=e1'));
    expect(callsTo('PUT /api/people/a').map(({ body }) => body)).toEqual([{ hidden: true }]);
  });

  it('open in the lightbox, and the address has the photo', async () => {
    const { router } = renderPage({}, at);
    fireEvent.click(await screen.findByRole('button', { name: /Open DSC_1\.jpg/ }));
    const lightbox = await screen.findByRole('dialog', { name: 'Lightbox' });
    expect(within(lightbox).getByText('2 of 3')).toBeVisible();
    expect(router.state.location.search).toBe('?event=e1&person=a&photo=p1');
  });

  it('that could not be loaded are asked for again when that is wanted, and not again and again', async () => {
    let down = true;
    const { callsTo } = renderPage(
      {
        'GET /api/photos/search': ({ query }) => {
          if (query.get('cursor') === null)
            return json({ photos: photos(2), total_count: 4, next_cursor: 'p1' });
          if (down) return errorResponse(500);
          return json({ photos: photos(4).slice(2), total_count: 4, next_cursor: null });
        },
      },
      at,
    );
    const older = () => callsTo('GET /api/photos/search').filter(({ query }) => query.get('cursor') === 'p1');
    expect(await screen.findByText('Failed to load photos. Please try again.')).toBeVisible();
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(older()).toHaveLength(1);
    down = false;
    fireEvent.click(button('Try again'));
    expect(await screen.findByRole('button', { name: /Open DSC_3\.jpg/ })).toBeVisible();
    expect(older()).toHaveLength(2);
  });

  it('of somebody who is gone are said to be gone', async () => {
    renderPage(
      {
        'GET /api/people/a': () => errorResponse(404, 'This person is no longer there', 'person_not_found'),
        'GET /api/photos/search': () => json({ photos: [], total_count: 0, next_cursor: null }),
      },
      at,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('This person is no longer there');
    expect(screen.getByRole('link', { name: 'All people' })).toHaveAttribute(
      'href',
      '/admin/people?event=e1',
    );
  });
});
