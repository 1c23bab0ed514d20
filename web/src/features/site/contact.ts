import { api } from '../../shared/api/client';

export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

export const emptyMessage: ContactMessage = { name: '', email: '', subject: '', message: '' };

export const sentText = 'Thank you for your message! We will get back to you soon.';
export const sendFailedText = 'Failed to send message. Please try again.';
export const networkErrorText = 'Network error. Please check your connection and try again.';

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

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** A message counts as sent only if the status is ok and `success` is true. */
export function sendResultOf(ok: boolean, body: unknown): SendResult {
  const { success, message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if (ok && success === true) return { sent: true, text: textOr(message, sentText) };
  return { sent: false, text: textOr(error, sendFailedText) };
}

/** Sends a contact message. Never throws. */
export async function sendMessage(message: ContactMessage): Promise<SendResult> {
  try {
    const { data, error, response } = await api.POST('/api/contact/submit', { body: message });
    return sendResultOf(response.ok, data ?? error);
  } catch (cause) {
    // A response that cannot be parsed is a failure without a message.
    return { sent: false, text: cause instanceof SyntaxError ? sendFailedText : networkErrorText };
  }
}
