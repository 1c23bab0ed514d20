import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { api } from '../platform/api/client';
import { parseErrorBody } from '../platform/api/errors';
import { refusalText } from '../platform/api/refusals';
import { english } from '../platform/i18n/languages';

export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

export const emptyMessage: ContactMessage = { name: '', email: '', subject: '', message: '' };

const sentText = () => t`Thank you for your message! We will get back to you soon.`;
const sendFailedText = () => t`Failed to send message. Please try again.`;
const networkErrorText = () => t`Network error. Please check your connection and try again.`;

/** Maximum lengths, in code points. */
export const limits: Record<keyof ContactMessage, number> = {
  name: 200,
  email: 254,
  subject: 200,
  message: 5000,
};

export interface SendResult {
  sent: boolean;
  text: string;
}

/** A message counts as sent only if the status is ok and `success` is true. The server's own texts are English. */
export function sendResultOf(ok: boolean, body: unknown): SendResult {
  const { success, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if (ok && success === true) {
    const own = i18n.locale === english.tag && typeof message === 'string' ? message : '';
    return { sent: true, text: own || sentText() };
  }
  return { sent: false, text: refusalText(parseErrorBody(body)) ?? sendFailedText() };
}

/** Sends a contact message. Never throws. */
export async function sendMessage(message: ContactMessage): Promise<SendResult> {
  try {
    const { data, error, response } = await api.POST('/api/contact/submit', { body: message });
    return sendResultOf(response.ok, data ?? error);
  } catch (cause) {
    // A response that cannot be parsed is a failure without a message.
    return { sent: false, text: cause instanceof SyntaxError ? sendFailedText() : networkErrorText() };
  }
}
