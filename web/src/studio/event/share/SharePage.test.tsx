import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import SharePage from './SharePage';

const user = userEvent.setup();
const page = 'https://photos.example/event/sangeet-k7m2x9q4tr';

type Overrides = Parameters<typeof anEvent>[0];

/** Guests are answered what `seen` says. */
function open(
  overrides: Overrides = {},
  seen: Overrides = {},
  change: (body: unknown) => ReturnType<typeof anEvent> = () => anEvent(overrides),
) {
  let event = anEvent(overrides);
  mockServer({
    'PATCH /api/events/e1': ({ body }) => {
      event = change(body);
      return json(event);
    },
    ...listing(() => [event]),
    [`GET /api/events/${anEvent().slug}`]: () => json({ ...anEvent(overrides), ...seen, studio: null }),
    'GET /api/events/e1/pin': () => json({ pin: overrides.asks_pin === true ? '4711' : null }),
    'GET /api/events/e1/wall': () => json({ wall: null }),
    'GET /api/events/e1/albums': () => json({ albums: [] }),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    'GET /api/studio': () => json({ studio: null }),
  });
  renderEventScreen(<SharePage />, '/admin/share?event=e1');
}

const sentBy = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  await waitFor(() => expect(link).not.toHaveAttribute('aria-disabled', 'true'));
  return new URL(link.getAttribute('href') ?? '');
};

beforeEach(signIn);

it('says in a line what guests may do, and leads to where it is changed', async () => {
  open({ asks_pin: true, downloads: 'web', browsable: false });
  expect(await screen.findByText('PIN, web size, no browsing')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change' })).toHaveAttribute(
    'href',
    '/admin/settings?event=e1#guests',
  );
  // Settings are changed there alone.
  expect(screen.queryByRole('switch', { name: /browse|uploads|ask/i })).toBeNull();
});

it('hands the link to WhatsApp and a mail, in the language of the guests', async () => {
  open();
  expect(await screen.findByText(page)).toBeVisible();
  const whatsApp = await sentBy('WhatsApp');
  expect(whatsApp.origin).toBe('https://wa.me');
  expect(whatsApp.searchParams.get('text')).toBe(
    `Sangeet\nTake a selfie · Get the photos you are in\n${page}`,
  );
  const mail = await sentBy('Mail');
  expect(mail.searchParams.get('subject')).toBe('Sangeet');
  expect(mail.searchParams.get('body')).toContain(page);
  await user.selectOptions(screen.getByLabelText('Language of the message'), 'Deutsch');
  await waitFor(async () =>
    expect((await sentBy('WhatsApp')).searchParams.get('text')).toMatch(/^Sangeet\n.*Selfie/),
  );
  expect((await sentBy('WhatsApp')).searchParams.get('text')).not.toContain('Take a selfie');
});

it('keeps what is written to the guests of the event, in its language [EVT190]', async () => {
  const kept: unknown[] = [];
  open({}, {}, (body) => {
    kept.push(body);
    return { ...anEvent(), ...(body as object) };
  });
  const field = await screen.findByRole('textbox', { name: 'Message' });
  await waitFor(() => expect(field).toHaveValue('Sangeet\nTake a selfie · Get the photos you are in'));
  await user.clear(field);
  await user.type(field, 'Come and look!');
  expect((await sentBy('WhatsApp')).searchParams.get('text')).toBe(`Come and look!\n${page}`);
  await user.tab();
  expect(await screen.findByText('The event is saved.')).toBeVisible();
  expect(kept).toEqual([{ invitation: { language: 'en', text: 'Come and look!' } }]);
  // Another language has the usual words, and this one its own again.
  await user.selectOptions(screen.getByLabelText('Language of the message'), 'Deutsch');
  await waitFor(() => expect(field).not.toHaveValue('Come and look!'));
  expect((await sentBy('Mail')).searchParams.get('body')).not.toContain('Come and look!');
  await user.selectOptions(screen.getByLabelText('Language of the message'), 'English');
  expect(field).toHaveValue('Come and look!');
  await user.clear(field);
  await user.tab();
  await waitFor(() => expect(kept).toHaveLength(2));
  expect(kept[1]).toEqual({ invitation: null });
  await waitFor(() => expect(field).toHaveValue('Sangeet\nTake a selfie · Get the photos you are in'));
});

it('shows the kept message of an event, and sends nothing that is too long [EVT190]', async () => {
  open({ invitation: { language: 'hi', text: 'आइए!' } });
  const field = await screen.findByRole('textbox', { name: 'Message' });
  await waitFor(() => expect(field).toHaveValue('आइए!'));
  expect(field).toHaveAttribute('lang', 'hi');
  expect((await sentBy('WhatsApp')).searchParams.get('text')).toBe(`आइए!\n${page}`);
  fireEvent.change(field, { target: { value: 'न'.repeat(1001) } });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The message must be at most 1,000 characters long',
  );
  expect(screen.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('aria-disabled', 'true');
});

it('keeps the message of the event when the field of another language is emptied [EVT190]', async () => {
  const kept: unknown[] = [];
  open({ invitation: { language: 'hi', text: 'आइए!' } }, {}, (body) => {
    kept.push(body);
    return { ...anEvent(), ...(body as object) };
  });
  const field = await screen.findByRole('textbox', { name: 'Message' });
  await user.selectOptions(screen.getByLabelText('Language of the message'), 'English');
  const usual = 'Sangeet\nTake a selfie · Get the photos you are in';
  await waitFor(() => expect(field).toHaveValue(usual));
  await user.clear(field);
  await user.tab();
  await waitFor(() => expect(field).toHaveValue(usual));
  await user.selectOptions(screen.getByLabelText('Language of the message'), 'हिन्दी');
  expect(field).toHaveValue('आइए!');
  expect(kept).toEqual([]);
});

it('puts the PIN into link, message and code if that is wished [EVT107]', async () => {
  open({ asks_pin: true });
  expect(await screen.findByText('PIN: 4711')).toBeVisible();
  expect(screen.getByText(page)).toBeVisible();
  await user.click(screen.getByRole('switch', { name: 'The link and the code enter the PIN' }));
  expect(await screen.findByText(`${page}#pin=4711`)).toBeVisible();
  await waitFor(async () =>
    expect((await sentBy('WhatsApp')).searchParams.get('text')).toContain(`${page}#pin=4711`),
  );
});

it('draws what guests see', async () => {
  open();
  const preview = within(await screen.findByRole('complementary', { name: 'What guests see' }));
  expect(preview.getByText('Sangeet')).toBeVisible();
  expect(preview.getByText('Saturday, 14 November 2026')).toBeVisible();
  await waitFor(() =>
    expect(preview.getByRole('link', { name: "Open the guests' page" })).toHaveAttribute('href', page),
  );
});

const preview = () => document.querySelector('aside img');

it('previews the drawn sky where guests do not get the cover that the team sees', async () => {
  open({ cover_url: '/api/files/a', cover_is_automatic: true }, { cover_url: null });
  await waitFor(() => expect(preview()).toHaveAttribute('src', `/covers/${anEvent().slug}.svg`));
});

it('previews a cover that guests get', async () => {
  open({ cover_url: '/api/files/a' });
  await waitFor(() => expect(preview()).toHaveAttribute('src', '/api/files/a'));
});
