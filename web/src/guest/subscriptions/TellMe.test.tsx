import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, json, mockServer } from '../../testing/server';
import { mockFormServer, renderEventPage, searchHandlers, selfieFile } from '../testing';
import { TELLING_NOTICE_VERSION, tellingNotice } from './notice';
import TellMe from './TellMe';

const user = userEvent.setup();
const route = 'POST /api/face/subscriptions';
const offer = () => screen.findByRole('button', { name: 'Tell me about new photos' });
const email = () => screen.getByRole('textbox', { name: 'Your e-mail address' });
const consent = () => screen.getByRole('checkbox', { name: tellingNotice() });
const send = () => screen.getByRole('button', { name: 'Send me a link to confirm' });

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  document.documentElement.lang = 'pt-BR';
});

test('[TELL038] [TELL039] the address and a consent of its own are needed, and the mail is to be checked', async () => {
  const server = mockServer({ [route]: () => json({ success: true }, 202) });
  render(<TellMe token="sealed" />);
  await user.click(await offer());
  expect(email()).toHaveFocus();
  expect(consent()).not.toBeChecked();
  expect(screen.getByRole('form', { name: 'Tell me about new photos' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  await user.type(email(), 'guest@example.com');
  await user.click(send());
  expect(server.calls).toHaveLength(0);
  await user.click(consent());
  await user.click(send());
  expect(await screen.findByRole('status')).toHaveTextContent(/^Check your mail: /);
  expect(server.callsTo(route)[0]?.body).toEqual({
    token: 'sealed',
    email: 'guest@example.com',
    notice_version: TELLING_NOTICE_VERSION,
    language: 'pt-BR',
  });
  expect(screen.queryByRole('form')).not.toBeInTheDocument();
});

test('[TELL038] an address is needed', async () => {
  const server = mockServer({});
  render(<TellMe token="sealed" />);
  await user.click(await offer());
  await user.click(consent());
  await user.click(send());
  await user.type(email(), 'no address');
  await user.click(send());
  expect(server.calls).toHaveLength(0);
});

test('what the server says is shown, and it can be sent again once', async () => {
  let answers = 0;
  let answer: (response: Response) => void = () => undefined;
  mockServer({
    [route]: () => {
      answers += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  render(<TellMe token="sealed" />);
  await user.click(await offer());
  await user.type(email(), 'guest@example.com');
  await user.click(consent());
  await user.click(send());
  await user.click(screen.getByRole('button', { name: 'One moment.' }));
  expect(answers).toBe(1);
  answer(errorResponse(429, 'Too many requests. Please try again in 2 minutes.'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in 2 minutes.');
  expect(email()).toHaveValue('guest@example.com');
  expect(consent()).toBeChecked();
  await user.click(send());
  await waitFor(() => expect(answers).toBe(2));
  answer(new Response('<html>', { status: 502 }));
  expect(await screen.findByText(/Please check your connection/)).toBeVisible();
});

test.each([
  ['with matches', {}],
  ['without a match', { matches: [] }],
])('[TELL025] results %s have the offer where the event has it', async (_, overrides) => {
  mockFormServer(searchHandlers({ subscriptionToken: 'sealed', ...overrides }));
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  expect(await offer()).toBeVisible();
});

test('[TELL025] nothing is offered without it', async () => {
  mockFormServer(searchHandlers());
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  expect(screen.queryByRole('button', { name: 'Tell me about new photos' })).not.toBeInTheDocument();
});
