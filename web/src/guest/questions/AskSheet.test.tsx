import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, json } from '../../testing/server';
import {
  eventBody,
  eventRoute,
  mockFormServer,
  renderEventPage,
  searchHandlers,
  selfieFile,
} from '../testing';

const user = userEvent.setup();
const route = 'POST /api/face/questions/aanya-rohan';
const askText = 'Ask the photographer';
const taken = { [eventRoute]: () => json(eventBody({ takes_questions: true })) };

const sheet = () => screen.findByRole('dialog', { name: askText });

async function openResults() {
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
}

async function openSheet(position = 2) {
  await openResults();
  await user.click(screen.getByRole('button', { name: `Photo ${position} of 3` }));
  const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
  await user.click(within(viewer).getByRole('button', { name: `More for photo ${position}` }));
  await user.click(within(viewer).getByRole('button', { name: askText }));
  return sheet();
}

async function fillIn(dialog: HTMLElement) {
  await user.type(within(dialog).getByRole('textbox', { name: 'Your message' }), ' Print please ');
  const address = within(dialog).getByRole('textbox', { name: 'Your e-mail address, for the answer' });
  await user.type(address, 'guest@example.com');
  await user.click(within(dialog).getByRole('button', { name: 'Send' }));
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

test('a message about the photo in the viewer is sent, and the sheet says where the answer goes', async () => {
  const server = mockFormServer({
    ...searchHandlers(),
    ...taken,
    [route]: () => new Response(null, { status: 202 }),
  });
  const dialog = await openSheet();
  expect(within(dialog).getByRole('textbox', { name: 'Your message' })).toHaveFocus();
  await user.click(within(dialog).getByRole('button', { name: 'Send' }));
  expect(server.callsTo(route)).toHaveLength(0);
  await fillIn(dialog);
  expect(await within(dialog).findByRole('status')).toHaveTextContent(
    'Your message is on its way. The photographer answers to guest@example.com.',
  );
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([
    { key: 'events/2', email: 'guest@example.com', message: 'Print please' },
  ]);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: askText })).not.toBeInTheDocument());
});

test('what the server refuses is said, and can be sent again', async () => {
  let answer = () => errorResponse(429, 'Too many requests. Please try again in 3 hours.');
  const server = mockFormServer({ ...searchHandlers(), ...taken, [route]: () => answer() });
  const dialog = await openSheet();
  await fillIn(dialog);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Please try again in 3 hours.');
  expect(within(dialog).getByRole('textbox', { name: 'Your message' })).toHaveValue(' Print please ');
  answer = () => new Response(null, { status: 202 });
  await user.click(within(dialog).getByRole('button', { name: 'Send' }));
  expect(await within(dialog).findByRole('status')).toBeVisible();
  expect(server.callsTo(route)).toHaveLength(2);
});

test('it is not offered where the photographer takes no questions', async () => {
  mockFormServer(searchHandlers());
  await openResults();
  await user.click(screen.getByRole('button', { name: 'Photo 1 of 3' }));
  await user.click(await screen.findByRole('button', { name: 'More for photo 1' }));
  expect(await screen.findByRole('button', { name: "That's not me" })).toBeVisible();
  expect(screen.queryByRole('button', { name: askText })).not.toBeInTheDocument();
});
