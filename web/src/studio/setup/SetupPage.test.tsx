import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { storedToken, storedUser } from '../../platform/storage/storage';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import SetupPage from './SetupPage';

const user = {
  id: 'u1',
  name: 'Meera Krishnan',
  email: 'meera@studio.example',
  pending_email: null,
  email_verified: true,
  is_photographer: true,
  is_admin: true,
  premium: false,
  created_at: '2026-11-20T09:00:00Z',
};
const settings = (
  mail = { reaches_people: true, place: 'mail.example.com:587', from: 'photos@example.com' },
) => ({
  public_url: window.location.origin,
  retention_days: 30,
  longest_retention_days: 365,
  mail,
});
const valid = () => json({ has_accounts: false });

async function fillForm() {
  await userEvent.type(await screen.findByLabelText('Full name'), 'Meera Krishnan');
  await userEvent.type(screen.getByLabelText('Email'), 'meera@studio.example');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse');
  await userEvent.type(screen.getByLabelText('Confirm password'), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

function signInAsAdministrator() {
  signIn();
  storedUser.write(user);
}

describe('the set-up', () => {
  it('makes the first account with the token of the link, and then shows the settings [SETUP020] [SETUP021]', async () => {
    const server = mockServer({
      'POST /api/setup/link': valid,
      'POST /api/setup': () => json({ token: 'session', user }),
      'GET /api/setup/settings': () => json(settings()),
    });
    const { router } = renderScreen(<SetupPage />, '/setup#secret');
    await fillForm();
    expect(await screen.findByRole('heading', { name: 'Before anybody comes' })).toBeVisible();
    expect(server.callsTo('POST /api/setup/link')[0]?.body).toEqual({ token: 'secret' });
    expect(server.callsTo('POST /api/setup')[0]?.body).toEqual({
      token: 'secret',
      name: 'Meera Krishnan',
      email: 'meera@studio.example',
      password: 'correct horse',
    });
    expect(storedToken.read()).toBe('session');
    expect(storedUser.read()?.is_admin).toBe(true);
    expect(router.state.location.hash).toBe('');
    await userEvent.click(await screen.findByRole('link', { name: 'Create Your First Event' }));
    expect(screen.getByText('arrived at /admin/event-registration')).toBeVisible();
  });

  it('has the rules of a registration [SETUP020]', async () => {
    const server = mockServer({
      'POST /api/setup/link': valid,
      'POST /api/setup': () =>
        errorResponse(400, 'This password is one of the most common ones. Please choose another.'),
    });
    renderScreen(<SetupPage />, '/setup#secret');
    await userEvent.click(await screen.findByRole('button', { name: 'Create account' }));
    for (const text of ['Name is required', 'Email is required', 'Password is required']) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(server.callsTo('POST /api/setup')).toHaveLength(0);
    await fillForm();
    expect(await screen.findByText(/one of the most common ones/)).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('meera@studio.example');
  });

  it('says what is wrong with a link, before the form and after it [SETUP020]', async () => {
    const unknown = 'This set-up link is not valid. Please use the newest one that the server has printed.';
    mockServer({ 'POST /api/setup/link': () => errorResponse(400, unknown, 'setup_link_unknown') });
    const first = renderScreen(<SetupPage />, '/setup#old');
    expect(await screen.findByRole('alert')).toHaveTextContent(unknown);
    expect(screen.queryByLabelText('Email')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    first.unmount();

    const already = 'This service is set up already. Please log in.';
    mockServer({
      'POST /api/setup/link': valid,
      'POST /api/setup': () => errorResponse(409, already, 'already_set_up'),
    });
    renderScreen(<SetupPage />, '/setup#secret');
    await fillForm();
    expect(await screen.findByText(already)).toBeVisible();
    expect(screen.queryByLabelText('Email')).toBeNull();
    await userEvent.click(screen.getByRole('link', { name: 'Go to Login' }));
    expect(screen.getByText('arrived at /login')).toBeVisible();
  });

  it('tells who has an account already that it can become an administrator’s [SETUP020]', async () => {
    signIn();
    mockServer({ 'POST /api/setup/link': () => json({ has_accounts: true }) });
    renderScreen(<SetupPage />, '/setup#secret');
    expect(
      await screen.findByText('Make an administrator’s account, or enter address and password of your own.'),
    ).toBeVisible();
    expect(screen.getByLabelText('Email')).toBeVisible();
  });

  it('asks again when the link could not be checked [SETUP020]', async () => {
    const answers = [() => errorResponse(503), valid];
    mockServer({ 'POST /api/setup/link': () => (answers.shift() ?? valid)() });
    renderScreen(<SetupPage />, '/setup#secret');
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Email')).toBeVisible();
  });

  it('asks for the whole link where there is no token, and lets photographers go on [SETUP022]', async () => {
    mockServer({});
    const first = renderScreen(<SetupPage />, '/setup');
    expect(screen.getByRole('alert')).toHaveTextContent('The link is not complete.');
    first.unmount();
    signIn();
    renderScreen(<SetupPage />, '/setup');
    expect(await screen.findByText('arrived at /admin/overview')).toBeVisible();
  });
});

describe('the settings', () => {
  it('shows the lines that set another public URL [SETUP021]', async () => {
    signInAsAdministrator();
    mockServer({
      'GET /api/setup/settings': () => json({ ...settings(), public_url: 'https://photos.example.com' }),
    });
    const writeText = vi.fn(() => Promise.resolve());
    userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    renderScreen(<SetupPage />, '/setup');
    const section = within(await screen.findByRole('region', { name: 'Public URL' }));
    const here = window.location.origin;
    expect(section.getByText('https://photos.example.com')).toBeVisible();
    expect(section.getByText(`public_url = "${here}"`)).toBeVisible();
    expect(section.getByText(`AFTERGLOW_PUBLIC_URL=${here}`)).toBeVisible();
    const copy = section.getByRole('button', { name: 'Copy', description: 'In afterglow.toml' });
    await userEvent.click(copy);
    expect(writeText).toHaveBeenCalledWith(`public_url = "${here}"`);
    expect(await section.findByText('Copied')).toBeInTheDocument();
  });

  it('shows how each is changed, and until when photos are kept [SETUP021]', async () => {
    signInAsAdministrator();
    mockServer({
      'GET /api/setup/settings': () => json({ ...settings(), retention_days: 0, longest_retention_days: 0 }),
    });
    renderScreen(<SetupPage />, '/setup');
    const section = within(await screen.findByRole('region', { name: 'Retention' }));
    expect(section.getByText('For ever')).toBeVisible();
    const button = section.getByRole('button', { name: 'Change the retention', expanded: false });
    expect(section.queryByText(/retention_days/)).toBeNull();
    await userEvent.click(button);
    expect(section.getByText('retention_days = 30 longest_retention_days = 365')).toBeVisible();
    expect(section.getByText(/AFTERGLOW_RETENTION_DAYS=30/)).toBeVisible();
    expect(button).toHaveAttribute('aria-expanded', 'true');
  });

  it('says that photographers can choose longer for an event, where they can [SETUP021] [EVT172]', async () => {
    signInAsAdministrator();
    mockServer({ 'GET /api/setup/settings': () => json(settings()) });
    renderScreen(<SetupPage />, '/setup');
    expect(
      await screen.findByText('A photographer can choose another time for an event, 365 days at most.'),
    ).toBeVisible();
  });

  it('tests the mail and says what became of it [SETUP021]', async () => {
    signInAsAdministrator();
    const answers = [
      { outcome: 'login', answer: '535 5.7.8 wrong password', to: user.email },
      { outcome: 'sent', answer: '250 2.0.0 queued as 7', to: user.email },
    ];
    mockServer({
      'GET /api/setup/settings': () => json(settings()),
      'POST /api/setup/mail': () => json(answers.shift()),
    });
    renderScreen(<SetupPage />, '/setup');
    const section = within(await screen.findByRole('region', { name: 'Mail' }));
    expect(section.getByText(/through this mail server, from photos@example.com/)).toBeVisible();
    const button = section.getByRole('button', { name: 'Send a test mail' });
    await userEvent.click(button);
    expect(await section.findByRole('alert')).toHaveTextContent(
      /refuses user or password.*535 5.7.8 wrong password/,
    );
    await userEvent.click(button);
    const took = await section.findByText(/took the mail to meera@studio.example/);
    expect(took).toHaveTextContent('250 2.0.0 queued as 7');
  });

  it('says that mails are not sent without a mail server [SETUP021]', async () => {
    signInAsAdministrator();
    const outbox = { reaches_people: false, place: './data/outbox', from: 'no-reply@localhost' };
    mockServer({
      'GET /api/setup/settings': () => json(settings(outbox)),
      'POST /api/setup/mail': () =>
        json({ outcome: 'written', answer: './data/outbox/1.eml', to: user.email }),
    });
    renderScreen(<SetupPage />, '/setup');
    const section = within(await screen.findByRole('region', { name: 'Mail' }));
    expect(section.getByText(/Mails are not sent/)).toBeVisible();
    await userEvent.click(section.getByRole('button', { name: 'Send a test mail' }));
    expect(
      await section.findByText('The mail was written to ./data/outbox/1.eml and not sent.'),
    ).toBeVisible();
    await userEvent.click(section.getByRole('button', { name: 'Set a mail server' }));
    expect(section.getByText(/mail_from = "photos@example.com"/)).toBeVisible();
  });
});
