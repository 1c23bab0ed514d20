import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, json } from '../../testing/server';
import { count, mark, marked, newAddress, opened, openPage as open, path, photo } from './testing';

const user = userEvent.setup();

beforeEach(newAddress);

test('[EVT206] [EVT207] photos are marked on the page, and counted', async () => {
  const server = open({ [`PUT ${path()}/photos/p2`]: () => marked(true, 2) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sangeet' })).toBeVisible();
  expect(
    screen.getByText('Choose up to 2 photos. You can choose until Saturday, 12 December 2026.'),
  ).toBeVisible();
  expect(await mark(1)).toHaveAttribute('aria-pressed', 'true');
  expect(count()).toHaveTextContent('1 of 2 chosen');
  await user.click(await mark(2));
  expect(await mark(2)).toHaveAttribute('aria-pressed', 'true');
  expect(count()).toHaveTextContent('2 of 2 chosen');
  await waitFor(() => expect(server.callsTo(`PUT ${path()}/photos/p2`)[0]?.body).toEqual({ chosen: true }));
  // One more is not asked for.
  await user.click(await mark(3));
  expect(await screen.findByText(/^You have chosen as many photos as you can/)).toBeVisible();
  expect(await mark(3)).toHaveAttribute('aria-pressed', 'false');
});

test('[EVT207] what could not be saved is said, and saved by another try', async () => {
  const answers = [() => errorResponse(503), () => marked(false, 0, 'Crop it')];
  const server = open({
    [`PUT ${path()}/photos/p1`]: () => (answers.shift() ?? (() => errorResponse(500)))(),
  });
  await user.click(await mark(1));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('1 photo is not saved yet. It is tried again by itself.');
  expect(count()).toHaveTextContent('0 of 2 chosen');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  expect(server.callsTo(`PUT ${path()}/photos/p1`)).toHaveLength(2);
});

test('[EVT209] only what is chosen is shown when asked to, and a comment is made in the viewer', async () => {
  const server = open({ [`PUT ${path()}/photos/p1`]: () => marked(true, 1, 'Large, please') });
  await mark(3);
  const filter = screen.getByRole('button', { name: 'Only chosen' });
  await user.click(filter);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Choose photo 2' })).toBeNull());
  expect(filter).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Photo 1 of 1' }));
  const viewer = await screen.findByRole('dialog', { name: 'Photos to choose from' });
  expect(within(viewer).getByText('DSC_1.JPG')).toBeInTheDocument();
  expect(within(viewer).getByText('Crop it')).toBeInTheDocument();
  expect(within(viewer).getByRole('button', { name: 'Chosen' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(within(viewer).getByRole('button', { name: 'Change your comment on this photo' }));
  const sheet = await screen.findByRole('dialog', { name: 'Your comment on this photo' });
  const field = within(sheet).getByRole('textbox');
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, 'Large, please');
  await user.click(within(sheet).getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.callsTo(`PUT ${path()}/photos/p1`)[0]?.body).toEqual({ comment: 'Large, please' }),
  );
  expect(await within(viewer).findByText('Large, please')).toBeInTheDocument();
});

test('[EVT208] Done says what it does, and then nothing can be changed', async () => {
  let done = false;
  const server = open({
    [`GET ${path()}`]: () => opened({ is_done: done }),
    [`POST ${path()}/done`]: () => {
      done = true;
      return json({ success: true });
    },
  });
  await mark(1);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  const sheet = await screen.findByRole('dialog', { name: 'Are you done?' });
  expect(
    within(sheet).getByText(/^Your photographer is told that you have chosen 1 photo\. You cannot change it/),
  ).toBeVisible();
  expect(server.callsTo(`POST ${path()}/done`)).toHaveLength(0);
  await user.type(within(sheet).getByRole('textbox'), 'Thanks');
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  expect(await screen.findByText(/^You are done, and your photographer has been told\./)).toBeVisible();
  expect(server.callsTo(`POST ${path()}/done`)[0]?.body).toEqual({ message: 'Thanks' });
  expect(screen.queryByRole('button', { name: /^Choose photo/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Done' })).not.toBeInTheDocument();
  expect(screen.getAllByRole('img', { name: 'Chosen' })).toHaveLength(1);
});

test('[EVT208] it is done also where the page cannot be loaded again', async () => {
  let asked = 0;
  open({
    [`GET ${path()}`]: () => {
      asked += 1;
      return asked === 1 ? opened() : errorResponse(503);
    },
    [`POST ${path()}/done`]: () => json({ success: true }),
  });
  await mark(1);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  const sheet = await screen.findByRole('dialog', { name: 'Are you done?' });
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  expect(await screen.findByText(/^You are done, and your photographer has been told\./)).toBeVisible();
});

test('[EVT208] after the last day the page says so', async () => {
  open({}, { is_over: true });
  expect(await screen.findByText(/^The last day for choosing has passed/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Done' })).not.toBeInTheDocument();
});

test('[EVT210] a PIN is entered once, and is sent as a proof', async () => {
  const server = open({
    [`GET ${path()}`]: ({ headers }) =>
      headers.get('Event-Access') === 'proof' ? opened() : opened({}, null),
    [`POST ${path()}/access`]: ({ body }) =>
      (body as { pin: string }).pin === '471147'
        ? json({ access_token: 'proof' })
        : errorResponse(403, 'This is not the PIN. Please check it and try again.', 'client_pin_wrong'),
  });
  const field = await screen.findByRole('textbox', { name: 'PIN' });
  await user.type(field, '000000');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(/^This is not the PIN\./)).toBeVisible();
  await user.clear(field);
  await user.type(field, '471147');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await mark(1);
  const photos = server.callsTo(`GET ${path()}/photos`);
  expect(photos.every(({ headers }) => headers.get('Event-Access') === 'proof')).toBe(true);
});

test('[EVT210] an address that leads nowhere says so', async () => {
  const text = 'This link no longer works. Please ask your photographer for a new one.';
  open({ [`GET ${path()}`]: () => errorResponse(404, text, 'client_selection_ended') });
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
});

test('of photos that are alike the best is offered, and the others by a tap; what was chosen is shown one by one [GAL502]', async () => {
  const stack = (place: number) => ({ stack: { id: 'p1', place } });
  open({
    [`GET ${path()}/photos`]: ({ url }) => {
      const all = [
        photo(1, { chosen: true, ...stack(1) }),
        photo(2, { chosen: true, ...stack(0) }),
        photo(3),
      ];
      return json({
        photos: url.searchParams.get('chosen') === 'true' ? all.slice(0, 2) : all,
        next_cursor: null,
      });
    },
  });
  const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));
  await user.click(await screen.findByRole('button', { name: 'Show 1 more like this' }));
  expect(shown()).toEqual(['p2', 'p1', 'p3']);
  await user.click(screen.getByRole('button', { name: 'Show only the best' }));
  expect(shown()).toEqual(['p2', 'p3']);
  await user.click(screen.getByRole('button', { name: 'Only chosen' }));
  await waitFor(() => expect(shown()).toEqual(['p1', 'p2']));
});
