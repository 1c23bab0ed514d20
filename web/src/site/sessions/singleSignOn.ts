import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../platform/api/client';
import { ApiError, errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';

type Ticket = components['schemas']['TicketBody'];

/** Where a browser goes to log in at the provider, and then to this path. */
export const singleSignOnAddress = (next: string): string =>
  `/api/auth/oidc/start?${new URLSearchParams({ next })}`;

/** What the server has put into the fragment of the page's address: what makes a session, or why there is none. */
export function landingOf(hash: string): { ticket: string | null; refused: string | null } {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  return { ticket: fragment.get('ticket'), refused: fragment.get('refused') };
}

/** Opens a session with a ticket, and what the account's second factor says. */
export const loginWithTicket = (body: Ticket) =>
  unwrapResponse(api.POST('/api/auth/oidc/login', { body }), t`Login failed`);

/** Why nobody is logged in, by the code of a refusal: a page that the server leads to has no more of it. */
export function refusedText(code: string | undefined): string | null {
  switch (code) {
    case 'single_sign_on_unavailable':
      return t`Single sign-on is not reachable right now. Please try again in a few minutes.`;
    case 'single_sign_on_refused':
      return t`Single sign-on did not confirm who you are. Please try again.`;
    case 'single_sign_on_expired':
      return t`This login has expired, or was begun in another browser. Please begin again.`;
    case 'single_sign_on_address_unverified':
      return t`Single sign-on does not confirm your email, so no account can be found by it.`;
    case 'single_sign_on_account_unverified':
      return t`The email of your account is not verified yet. Please verify it by the link in our mail, then log in again.`;
    case 'single_sign_on_unknown':
      return t`There is no account with your email. Please ask the operator of this service.`;
    case 'single_sign_on_linked':
      return t`This account is linked to another single sign-on. Please unlink that first.`;
    case 'single_sign_on_declined':
      return t`This account was unlinked from single sign-on. Please log in with your password, and link it again in your account.`;
    case 'account_locked':
      return t`This account is locked. Please contact support.`;
    case 'too_many_requests':
      return t`Too many logins. Please try again later.`;
    default:
      return null;
  }
}

/** The same of a request that was refused. */
export const ticketFailure = (error: unknown): string =>
  (error instanceof ApiError ? refusedText(error.code) : null) ?? errorMessage(error, t`Login failed`);
