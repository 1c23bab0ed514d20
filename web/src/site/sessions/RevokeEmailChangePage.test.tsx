import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import RevokeEmailChangePage from './RevokeEmailChangePage';

const call = 'POST /api/auth/revoke-email-change';
const press = () => userEvent.click(screen.getByRole('button', { name: 'Take the change back' }));

describe('/revoke-email-change', () => {
  it('takes the change back when the button is pressed, and not before [ACC087]', async () => {
    signIn();
    const server = mockServer({ [call]: () => json({ success: true }) });
    renderScreen(<RevokeEmailChangePage />, '/revoke-email-change#token=abc');
    expect(screen.getByRole('heading', { name: "This wasn't me" })).toBeVisible();
    expect(server.calls).toHaveLength(0);
    await press();
    expect(await screen.findByText(/The change is taken back, and every device is logged out/)).toBeVisible();
    expect(server.callsTo(call)[0]?.body).toEqual({ token: 'abc' });
    expect(screen.queryByRole('button', { name: 'Take the change back' })).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('says why it could not, and leads to a new password', async () => {
    const answers = [errorResponse(400, 'This link has expired or was used.'), errorResponse(503)];
    mockServer({ [call]: () => answers.shift() ?? errorResponse(500) });
    renderScreen(<RevokeEmailChangePage />, '/revoke-email-change#token=abc');
    await press();
    expect(await screen.findByText('This link has expired or was used.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Forgot password' })).toHaveAttribute('href', '/forgot-password');
    await press();
    expect(await screen.findByText('The change could not be taken back. Please try again.')).toBeVisible();
  });

  it('refuses a link without token', () => {
    const server = mockServer({});
    renderScreen(<RevokeEmailChangePage />, '/revoke-email-change');
    expect(screen.getByText('The link is incomplete: it carries no token.')).toBeVisible();
    expect(server.calls).toHaveLength(0);
  });
});
