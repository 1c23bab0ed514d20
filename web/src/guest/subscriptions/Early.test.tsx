import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storedAsked } from '../../platform/storage/askedStorage';
import { json } from '../../testing/server';
import {
  eventBody,
  eventRoute,
  mockFormServer,
  renderEventPage,
  searchBody,
  searchResult,
  searchRoute,
  selfieFile,
} from '../testing';

const subscriptions = 'POST /api/face/subscriptions';
const none = { indexed: 0, waiting: 0, failed: 0, total: 0 };
const user = userEvent.setup();

/** An event whose photos are not there, with or without a way to write to its guests. */
function open(tells_guests: 'on' | 'off' | 'unavailable', subscriptionToken: string | null) {
  const server = mockFormServer({
    [eventRoute]: () => json(eventBody({ tells_guests, indexing: none })),
    [searchRoute]: () => json(searchBody(searchResult({ matches: [], indexing: none, subscriptionToken }))),
    [subscriptions]: () => json({ success: true }, 202),
  });
  renderEventPage();
  return server;
}

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  window.history.replaceState(null, '', '/event/aanya-rohan');
  document.documentElement.lang = 'en';
});
afterEach(async () => {
  cleanup();
  await new Promise((resolve) => setTimeout(resolve, 50));
});

test('a guest leaves a selfie and an address before there are photos [TELL042]', async () => {
  const { callsTo } = open('on', 'sealed');
  expect(
    await screen.findByText(
      'The photos are not here yet. Leave a selfie now, and we write to you when you are in them.',
    ),
  ).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Add to calendar' })).not.toBeInTheDocument();
  await user.upload(screen.getByLabelText('upload a photo'), selfieFile());
  const address = await screen.findByLabelText('Your e-mail address');
  // A keyboard that opens by itself would cover the question.
  expect(address).not.toHaveFocus();
  await user.type(address, 'guest@example.com');
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Send me a link to confirm' }));
  expect(await screen.findByText('Check your mail: the link in it confirms your address.')).toBeVisible();
  expect(screen.queryByText(/Where shall we write/)).not.toBeInTheDocument();
  expect(callsTo(subscriptions)[0]?.body).toMatchObject({ token: 'sealed', email: 'guest@example.com' });
  await waitFor(() => expect(storedAsked('aanya-rohan').read()).toBe(true));
});

test('a guest who has left an address is not asked again', async () => {
  storedAsked('aanya-rohan').write(true);
  open('on', 'sealed');
  expect(await screen.findByText(/^You asked to be told about new photos/)).toBeVisible();
});

test.each(['off', 'unavailable'] as const)(
  'where nobody writes to guests (%s) a calendar brings them back',
  async (tells) => {
    open(tells, null);
    expect(await screen.findByText('The photos are not here yet. Come back after the event.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute(
      'href',
      '/event/aanya-rohan/calendar.ics?language=en',
    );
    await user.upload(screen.getByLabelText('upload a photo'), selfieFile());
    expect(await screen.findByRole('button', { name: 'Take New Photo' })).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Add to calendar' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  },
);
