import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import AgreeEmailChangePage from './AgreeEmailChangePage';

const call = 'POST /api/auth/agree-email-change';
const press = () => userEvent.click(screen.getByRole('button', { name: 'Agree to the new email' }));

describe('/agree-email-change', () => {
  it.each([
    [true, 'The new email is in force. Please log in with it from now on.'],
    [false, /^You have agreed\. The new email takes effect once it is confirmed/],
  ])('agrees when the button is pressed, and not before (in force: %s) [ACC209]', async (in_force, text) => {
    signIn();
    const server = mockServer({ [call]: () => json({ success: true, in_force }) });
    renderScreen(<AgreeEmailChangePage />, '/agree-email-change#token=abc');
    expect(screen.getByRole('heading', { name: 'Agree to a new email' })).toBeVisible();
    expect(server.calls).toHaveLength(0);
    await press();
    expect(await screen.findByText(text)).toBeVisible();
    expect(server.callsTo(call)[0]?.body).toEqual({ token: 'abc' });
    expect(screen.queryByRole('button', { name: 'Agree to the new email' })).toBeNull();
    // The session is the same account's, whose address alone has changed.
    expect(localStorage.getItem('token')).toBe('secret');
  });

  it('says why it could not, and can be pressed again', async () => {
    const answers = [errorResponse(400, 'This link is no longer valid.'), errorResponse(503)];
    mockServer({ [call]: () => answers.shift() ?? errorResponse(500) });
    renderScreen(<AgreeEmailChangePage />, '/agree-email-change#token=abc');
    await press();
    expect(await screen.findByText('This link is no longer valid.')).toBeVisible();
    await press();
    expect(await screen.findByText('Your agreement could not be saved. Please try again.')).toBeVisible();
  });

  it('refuses a link without token', () => {
    const server = mockServer({});
    renderScreen(<AgreeEmailChangePage />, '/agree-email-change');
    expect(screen.getByText('The link is incomplete: it carries no token.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Agree to the new email' })).toBeNull();
    expect(server.calls).toHaveLength(0);
  });
});
