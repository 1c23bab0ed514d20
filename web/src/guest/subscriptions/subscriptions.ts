import { t } from '@lingui/core/macro';
import { withTimeout } from '../../platform/api/withTimeout';
import { request } from '../request';
import type { MailedLink } from '../linkedPage';
import { TELLING_NOTICE_VERSION } from './notice';

/** Milliseconds. */
const timeout = 30_000;

async function post(path: string, body: object): Promise<void> {
  const signal = withTimeout(new AbortController().signal, timeout);
  await request(
    `/api/face/${path}`,
    { body, signal },
    t`This did not work. Please check your connection and try again.`,
  );
}

/** Asks to be told of new photos of the person who was searched for. Throws an `ApiError`. */
export const subscribe = (token: string, email: string): Promise<void> =>
  post('subscriptions', {
    token,
    email,
    notice_version: TELLING_NOTICE_VERSION,
    language: document.documentElement.lang,
  });

/** Does what a mailed link is for. Throws an `ApiError`. */
export const followMailedLink = ({ action, token }: MailedLink): Promise<void> =>
  action === 'confirm' ? post('subscriptions/confirm', { token }) : post(`unsubscribe/${token}`, {});
