import { t } from '@lingui/core/macro';
import { withTimeout } from '../../platform/api/withTimeout';
import { request } from '../request';
import { KEEPING_NOTICE_VERSION } from './notice';

/** Milliseconds. */
const timeout = 30_000;

const post = <Body>(path: string, body: object): Promise<Body> =>
  request<Body>(
    path,
    { body, signal: withTimeout(new AbortController().signal, timeout) },
    t`This did not work. Please check your connection and try again.`,
  );

/** What this device keeps of a search, by the notice that the guest has agreed to. Throws an `ApiError`. */
export const fetchKey = async (
  slug: string,
  token: string,
  notice = KEEPING_NOTICE_VERSION,
): Promise<string> => {
  const body = { token, notice_version: notice };
  return (await post<{ key: string }>(`/api/face/search/${encodeURIComponent(slug)}/keep`, body)).key;
};

/** Mails the link to results. Throws an `ApiError`. */
export const mailLink = (token: string, email: string): Promise<void> =>
  post('/api/face/results/mail', { token, email, language: document.documentElement.lang });
