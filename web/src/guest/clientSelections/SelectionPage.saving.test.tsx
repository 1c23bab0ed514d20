import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, json } from '../../testing/server';
import { count, mark, marked, newAddress, opened, openPage, path, photo } from './testing';

const user = userEvent.setup();

beforeEach(newAddress);

const shown = () => screen.getAllByRole('listitem').map((item) => item.getAttribute('data-photo'));

/** A server that keeps what is marked, and answers a mark once it is told to. */
function slowServer() {
  const chosen = new Set(['p1']);
  let answer: () => void = () => undefined;
  const page = openPage({
    [`PUT ${path()}/photos/p2`]: async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      chosen.add('p2');
      return marked(true, 2);
    },
    [`GET ${path()}/photos`]: ({ url }) => {
      const all = [1, 2, 3].map((at) => photo(at, { chosen: chosen.has(`p${at}`) }));
      const only = url.searchParams.get('chosen') === 'true';
      return json({
        photos: only ? all.filter((each) => chosen.has(each.photo_id)) : all,
        next_cursor: null,
      });
    },
  });
  return { ...page, answer: () => answer() };
}

test('[EVT209] what was just chosen is among what is chosen, although it was not saved yet', async () => {
  const { callsTo, answer } = slowServer();
  await user.click(await mark(2));
  await user.click(screen.getByRole('button', { name: 'Only chosen' }));
  // The page can be used meanwhile.
  expect(screen.getByRole('button', { name: 'Only chosen' })).toHaveAttribute('aria-pressed', 'true');
  expect(count()).toHaveTextContent('2 of 2 chosen');
  answer();
  await waitFor(() => expect(shown()).toEqual(['p1', 'p2']));
  expect(await mark(2)).toHaveAttribute('aria-pressed', 'true');
  expect(callsTo(`GET ${path()}/photos`)).toHaveLength(2);
});

test('[EVT209] what is chosen is listed also while nothing can be saved', async () => {
  let answer = () => errorResponse(503);
  const { callsTo } = openPage({ [`PUT ${path()}/photos/p2`]: () => answer() });
  await user.click(await mark(2));
  await user.click(screen.getByRole('button', { name: 'Only chosen' }));
  await waitFor(() => expect(shown()).toEqual(['p1']));
  // It is tried until it is saved, by later tests otherwise.
  const tried = callsTo(`PUT ${path()}/photos/p2`).length;
  answer = () => marked(true, 2);
  await waitFor(() => expect(callsTo(`PUT ${path()}/photos/p2`).length).toBeGreaterThan(tried));
});

/** A server whose selection has got another PIN since the page was opened. */
function openWithNewPin(more: Parameters<typeof openPage>[0] = {}) {
  let locked = false;
  const refused = () => errorResponse(403, 'Please enter the PIN.', 'client_pin_required');
  const admits = (headers: Headers) => !locked || headers.get('Event-Access') === 'proof';
  const page = openPage({
    [`GET ${path()}`]: ({ headers }) => (admits(headers) ? opened() : opened({}, null)),
    [`PUT ${path()}/photos/p2`]: ({ headers }) => (admits(headers) ? marked(true, 2) : refused()),
    [`PUT ${path()}/photos/p3`]: ({ headers }) => (admits(headers) ? marked(false, 2, 'Large') : refused()),
    [`POST ${path()}/access`]: () => json({ access_token: 'proof' }),
    ...more,
  });
  const enter = async () => {
    await user.type(await screen.findByRole('textbox', { name: 'PIN' }), '471147');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
  };
  return {
    ...page,
    enter,
    lock: () => {
      locked = true;
    },
  };
}

async function openComment(at: number) {
  await user.click(screen.getByRole('button', { name: `Photo ${at} of 3` }));
  const viewer = await screen.findByRole('dialog', { name: 'Photos to choose from' });
  await user.click(within(viewer).getByRole('button', { name: 'Comment on this photo' }));
  const sheet = await screen.findByRole('dialog', { name: 'Your comment on this photo' });
  return within(sheet).getByRole('textbox');
}

test('[EVT207] [EVT210] what is marked as a new PIN is asked for is saved once it is entered', async () => {
  const { callsTo, lock, enter } = openWithNewPin();
  await mark(2);
  lock();
  await user.click(await mark(2));
  await screen.findByRole('textbox', { name: 'PIN' });
  expect(callsTo(`PUT ${path()}/photos/p2`)).toHaveLength(1);
  await enter();
  expect(await mark(2)).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(callsTo(`PUT ${path()}/photos/p2`)).toHaveLength(2));
  expect(callsTo(`PUT ${path()}/photos/p2`)[1]?.body).toEqual({ chosen: true });
  expect(count()).toHaveTextContent('2 of 2 chosen');
});

test('[EVT207] [EVT210] a comment that is being written as a new PIN is asked for is there again after it', async () => {
  const { callsTo, lock, enter } = openWithNewPin();
  await mark(2);
  const field = await openComment(3);
  await user.type(field, 'Large');
  lock();
  // Another mark of this client, from beside the sheet.
  fireEvent.click(screen.getByRole('button', { name: 'Choose photo 2', hidden: true }));
  await enter();
  await mark(2);
  const again = await openComment(3);
  expect(again).toHaveValue('Large');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(callsTo(`PUT ${path()}/photos/p3`)[0]?.body).toEqual({ comment: 'Large' }));
});

test('a comment that is given up is not there again', async () => {
  openPage();
  await mark(2);
  await user.type(await openComment(3), 'Large');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const viewer = screen.getByRole('dialog', { name: 'Photos to choose from' });
  await user.click(within(viewer).getByRole('button', { name: 'Comment on this photo' }));
  const sheet = await screen.findByRole('dialog', { name: 'Your comment on this photo' });
  expect(within(sheet).getByRole('textbox')).toHaveValue('');
});

test('[EVT208] [EVT210] the message is there again after a new PIN', async () => {
  const { lock, enter } = openWithNewPin({
    [`POST ${path()}/done`]: () => errorResponse(403, 'Please enter the PIN.', 'client_pin_required'),
  });
  await mark(2);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  let sheet = await screen.findByRole('dialog', { name: 'Are you done?' });
  await user.type(within(sheet).getByRole('textbox'), 'Thanks');
  lock();
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  await enter();
  await mark(2);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  sheet = await screen.findByRole('dialog', { name: 'Are you done?' });
  expect(within(sheet).getByRole('textbox')).toHaveValue('Thanks');
});

test('[EVT219] a message that comes after another one stays in the sheet, with the reason', async () => {
  const text = 'You have finished choosing. To change something, ask your photographer to reopen it.';
  openPage({ [`POST ${path()}/done`]: () => errorResponse(409, text, 'client_choice_done') });
  await mark(2);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  const sheet = await screen.findByRole('dialog', { name: 'Are you done?' });
  await user.type(within(sheet).getByRole('textbox'), 'The dance, please');
  await user.click(within(sheet).getByRole('button', { name: 'Done' }));
  expect(await within(sheet).findByRole('alert')).toHaveTextContent(text);
  expect(within(sheet).getByRole('textbox')).toHaveValue('The dance, please');
});
