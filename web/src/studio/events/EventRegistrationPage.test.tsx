import { act, fireEvent, screen, waitFor, waitForElementToBeRemoved } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedSelectedEvent } from '../../platform/storage/storage';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { useEventPages } from '../shared/events/events';
import { EventRegistrationPage } from './EventRegistrationPage';

vi.mock('qrcode', () => ({ toDataURL: () => Promise.resolve('data:image/png;base64,AA==') }));

const creation = 'POST /api/events/';
/** What the operator allows. */
const site =
  (retention_options = [30, 90, 180, 365], retention_days = 30) =>
  () =>
    json({ public_url: window.location.origin, retention_days, retention_options });

const show = () =>
  renderScreen(
    <EventRegistrationPage
      renderUpgrade={(onPaid) => (
        <button onClick={() => onPaid({ amount: 799, couponCode: 'GLOW20' })}>paid</button>
      )}
    />,
    '/admin/event-registration',
  );
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create event' }));
const fill = () => {
  fireEvent.change(screen.getByLabelText('Event name'), { target: { value: '  Sangeet ' } });
  fireEvent.change(screen.getByLabelText('Event date'), { target: { value: '2026-11-14' } });
};

/** What another screen has loaded of the events. */
function EventsCount() {
  const events = useEventPages('').events ?? [];
  return <p>{events.length} event</p>;
}

beforeEach(signIn);

describe('/admin/event-registration', () => {
  it('asks for name and date and sends nothing without them [EVT001] [EVT002] [EVT003]', async () => {
    const server = mockServer({ 'GET /api/site': site() });
    show();
    expect(screen.getByRole('heading', { name: 'Create New Event' })).toBeVisible();
    fireEvent.change(screen.getByLabelText('Event name'), { target: { value: '   ' } });
    submit();
    expect(await screen.findByText('Event name is required')).toBeVisible();
    expect(screen.getByText('Event date is required')).toBeVisible();
    expect(server.callsTo(creation)).toHaveLength(0);
  });

  it('creates the event, shows its URL and the ways on, and chooses it [EVT006] [EVT009] [API033]', async () => {
    const server = mockServer({ 'GET /api/site': site(), 'POST /api/events/': () => json(anEvent(), 201) });
    show();
    fill();
    submit();
    expect(await screen.findByText('http://localhost:8080/event/sangeet-k7m2x9q4tr')).toBeVisible();
    expect(server.callsTo(creation)[0]?.body).toEqual({ name: 'Sangeet', date: '2026-11-14' });
    expect(screen.getByRole('link', { name: /Dashboard/ })).toHaveAttribute('href', '/admin/overview');
    expect(screen.getByRole('link', { name: /Upload/ })).toHaveAttribute('href', '/admin/upload?event=e1');
    expect(screen.getByRole('link', { name: /Gallery/ })).toHaveAttribute('href', '/admin/gallery?event=e1');
    expect(storedSelectedEvent.read()?.id).toBe('e1');
  });

  it.each(['0026-11-20', '1999-12-31', `${new Date().getFullYear() + 6}-01-01`])(
    'refuses the date %s with words and sends nothing [EVT085]',
    async (date) => {
      const server = mockServer({ 'GET /api/site': site() });
      show();
      fill();
      fireEvent.change(screen.getByLabelText('Event date'), { target: { value: date } });
      submit();
      expect(
        await screen.findByText('Event date must be between the year 2000 and five years from now'),
      ).toBeVisible();
      expect(server.callsTo(creation)).toHaveLength(0);
    },
  );

  it.each(['2000-01-01', `${new Date().getFullYear() + 5}-12-31`])(
    'takes the date %s [EVT085]',
    async (date) => {
      const server = mockServer({ 'GET /api/site': site(), 'POST /api/events/': () => json(anEvent(), 201) });
      show();
      fill();
      fireEvent.change(screen.getByLabelText('Event date'), { target: { value: date } });
      submit();
      await screen.findByRole('button', { name: 'Copy' });
      expect(server.callsTo(creation)[0]?.body).toEqual({ name: 'Sangeet', date });
    },
  );

  it('copies the URL and says so for 2 s [EVT007] [EVT008] [CONST029]', async () => {
    mockServer({ 'GET /api/site': site(), 'POST /api/events/': () => json(anEvent(), 201) });
    show();
    fill();
    submit();
    await screen.findByRole('button', { name: 'Copy' });
    const writeText = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('URL copied to clipboard!')).toBeVisible();
    expect(writeText).toHaveBeenCalledWith('http://localhost:8080/event/sangeet-k7m2x9q4tr');
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect(screen.getByText('URL copied to clipboard!')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(600));
    expect(screen.queryByText('URL copied to clipboard!')).toBeNull();
  });

  it('shows the error of the server, or the default [EVT010]', async () => {
    const answers = [
      errorResponse(400, 'Event name must be at most 200 characters long'),
      errorResponse(500),
    ];
    mockServer({ 'GET /api/site': site(), 'POST /api/events/': () => answers.shift() ?? errorResponse(500) });
    show();
    fill();
    submit();
    expect(await screen.findByText('Event name must be at most 200 characters long')).toBeVisible();
    submit();
    expect(await screen.findByText('Failed to create event')).toBeVisible();
  });

  it('[EVT217] without an answer says that the event may be there, and fetches the events anew', async () => {
    const answers = [() => Promise.reject(new TypeError('Failed to fetch')), () => errorResponse(502)];
    const server = mockServer({
      ...listing(() => [anEvent()]),
      'GET /api/site': site(),
      [creation]: () => answers.shift()?.() ?? errorResponse(500),
    });
    renderScreen(
      <>
        <EventsCount />
        <EventRegistrationPage renderUpgrade={() => null} />
      </>,
    );
    await screen.findByText('1 event');
    const looks = () => server.callsTo('GET /api/events/search').length;
    const before = looks();
    fill();
    submit();
    const text = 'It may have been created: look at your events before you try again.';
    expect(await screen.findByText(text)).toBeVisible();
    await waitFor(() => expect(looks()).toBeGreaterThan(before));
    submit();
    expect(await screen.findByText('Failed to create event')).toBeVisible();
    expect(screen.queryByText(text)).toBeNull();
  });

  it('sends the payment, and has its own error message after one [EVT011] [API034] (U67)', async () => {
    const server = mockServer({ 'GET /api/site': site(), 'POST /api/events/': () => errorResponse(500) });
    show();
    await userEvent.click(screen.getByRole('button', { name: 'paid' }));
    fill();
    submit();
    expect(await screen.findByText('Failed to create event after payment')).toBeVisible();
    expect(server.callsTo(creation)[0]?.body).toEqual({
      name: 'Sangeet',
      date: '2026-11-14',
      payment_amount: 799,
      coupon_code: 'GLOW20',
    });
  });

  it('keeps photos for 30 days unless another time is chosen [EVT167]', async () => {
    const server = mockServer({ 'GET /api/site': site(), [creation]: () => json(anEvent(), 201) });
    show();
    const choice = await screen.findByRole('combobox', { name: 'Keep photos for' });
    await screen.findByRole('option', { name: '30 days' });
    expect(choice).toHaveValue('30');
    expect(choice).toHaveAccessibleDescription(/A mail warns you a week before/);
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      '30 days',
      '3 months',
      '6 months',
      '1 year',
    ]);
    fill();
    await userEvent.selectOptions(choice, '1 year');
    submit();
    await screen.findByRole('button', { name: 'Copy' });
    expect(server.callsTo(creation)[0]?.body).toEqual({
      name: 'Sangeet',
      date: '2026-11-14',
      keep_days: 365,
    });
  });

  it('sends no time that counts anyway [EVT167]', async () => {
    const server = mockServer({
      'GET /api/site': site([30, 90, 0], 0),
      [creation]: () => json(anEvent(), 201),
    });
    show();
    const choice = await screen.findByRole('combobox', { name: 'Keep photos for' });
    expect(await screen.findByRole('option', { name: 'Until I delete them' })).toBeInTheDocument();
    expect(choice).toHaveValue('0');
    await userEvent.selectOptions(choice, '30 days');
    await userEvent.selectOptions(choice, 'Until I delete them');
    fill();
    submit();
    await screen.findByRole('button', { name: 'Copy' });
    expect(server.callsTo(creation)[0]?.body).toEqual({ name: 'Sangeet', date: '2026-11-14' });
  });

  it.each([
    ['one time alone is allowed', site([30])],
    ['what is allowed is not known', () => errorResponse(500)],
  ])('asks for no time where %s [EVT167]', async (_, answer) => {
    const server = mockServer({ 'GET /api/site': answer, [creation]: () => json(anEvent(), 201) });
    show();
    await waitForElementToBeRemoved(() => screen.queryByRole('combobox', { name: 'Keep photos for' }));
    fill();
    submit();
    await screen.findByRole('button', { name: 'Copy' });
    expect(server.callsTo(creation)[0]?.body).toEqual({ name: 'Sangeet', date: '2026-11-14' });
  });
});
