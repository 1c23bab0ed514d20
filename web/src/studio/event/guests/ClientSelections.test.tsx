import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import type { ClientSelection } from '../../shared/notifications/clientSelections';
import GuestsPage from './GuestsPage';

const route = '/api/events/e1/selections';
const url = 'https://afterglow.example/selection/abcdefghij';

const aSelection = (overrides: Partial<ClientSelection> = {}): ClientSelection => ({
  id: 's1',
  name: 'Asha & Ravi',
  url,
  photo_limit: 60,
  due_on: null,
  pin: null,
  album_id: null,
  album_deleted: false,
  chosen: 12,
  comments: 0,
  created_at: '2026-11-20T09:00:00Z',
  done_at: null,
  message: null,
  is_new: false,
  ...overrides,
});

/** The screen of an event with these selections, which change as the server is told. */
function show(selections: ClientSelection[], overrides: Parameters<typeof mockServer>[0] = {}) {
  let now = selections;
  const server = mockServer({
    ...listing(() => [anEvent()]),
    'GET /api/events/e1/objections': () => json({ objections: [] }),
    'GET /api/events/e1/albums': () => json({ albums: [] }),
    [`GET ${route}`]: () => json({ selections: now }),
    [`POST ${route}`]: ({ body }) => {
      const made = {
        ...aSelection({ id: 's2' }),
        ...(body as Partial<ClientSelection>),
        due_on: null,
        pin: null,
        chosen: 0,
      };
      now = [...now, made];
      return json(made);
    },
    [`POST ${route}/s1/reopen`]: () => {
      now = [aSelection({ done_at: null })];
      return json(now[0]);
    },
    [`DELETE ${route}/s1`]: () => {
      now = [];
      return new Response(null, { status: 204 });
    },
    ...overrides,
  });
  renderEventScreen(<GuestsPage />, '/admin/guests');
  return server;
}

const row = async () => within(await screen.findByRole('article', { name: 'Asha & Ravi' }));

beforeEach(signIn);

it('asks a client to choose, with a name and what else is wanted [EVT211]', async () => {
  const user = userEvent.setup();
  const { callsTo } = show([]);
  await user.click(await screen.findByRole('button', { name: 'Ask a client to choose' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask a client to choose' }));
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByText("Please enter the client's name")).toBeVisible();
  expect(callsTo(`POST ${route}`)).toHaveLength(0);
  await user.type(dialog.getByRole('textbox', { name: /Name of the client/ }), 'Asha & Ravi');
  await user.type(dialog.getByRole('spinbutton', { name: 'Photos at most' }), '60');
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect((await row()).getByText('0 of 60 chosen · Choosing')).toBeVisible();
  expect(callsTo(`POST ${route}`)[0]?.body).toMatchObject({ name: 'Asha & Ravi', photo_limit: 60 });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('copies the link, and leads to the photos [EVT211]', async () => {
  const user = userEvent.setup();
  show([aSelection()]);
  const article = await row();
  expect(article.getByText('12 of 60 chosen · Choosing')).toBeVisible();
  await user.click(article.getByRole('button', { name: 'Copy link' }));
  expect(await article.findByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(url);
  expect(article.getByRole('link', { name: 'View photos' })).toHaveAttribute(
    'href',
    '/admin/gallery?event=e1&selection=s1',
  );
});

it('says that a client has finished, and is reopened [EVT211] [EVT212]', async () => {
  const user = userEvent.setup();
  const { callsTo } = show([
    aSelection({ done_at: '2026-11-21T09:00:00Z', message: 'Thank you!', is_new: true }),
  ]);
  const article = await row();
  expect(article.getByText(/Done on/)).toBeVisible();
  expect(article.getByText('Thank you!')).toBeVisible();
  expect(article.getByText('New')).toBeVisible();
  expect(await screen.findByRole('link', { name: /^Guests.*1/ })).toBeVisible();
  await user.click(article.getByRole('button', { name: 'Reopen' }));
  expect(await (await row()).findByText('12 of 60 chosen · Choosing')).toBeVisible();
  expect(callsTo(`POST ${route}/s1/reopen`)).toHaveLength(1);
});

it('is deleted after a question, and says when that failed [EVT211]', async () => {
  const user = userEvent.setup();
  let fails = true;
  let gone = false;
  const { callsTo } = show([aSelection()], {
    [`GET ${route}`]: () => json({ selections: gone ? [] : [aSelection()] }),
    [`DELETE ${route}/s1`]: () => {
      if (fails) return errorResponse(500);
      gone = true;
      return new Response(null, { status: 204 });
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the selection of Asha & Ravi?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await dialog.findByText('The selection could not be saved. Please try again.')).toBeVisible();
  fails = false;
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Asha & Ravi' })).toBeNull());
  expect(callsTo(`DELETE ${route}/s1`)).toHaveLength(2);
});
