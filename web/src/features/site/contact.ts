import { api } from '../../shared/api/client';

export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

export const emptyMessage: ContactMessage = { name: '', email: '', subject: '', message: '' };

export const sentText = 'Thank you for your message! We will get back to you soon.';
export const refusedText = 'Failed to send message. Please try again.';
export const networkText = 'Network error. Please check your connection and try again.';

/** Longest texts, in code points. */
export const limits: Record<keyof ContactMessage, number> = {
  name: 200,
  email: 254,
  subject: 200,
  message: 5000,
};

export interface Outcome {
  sent: boolean;
  text: string;
}

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** A message counts as sent only when the status is ok and the body says success. */
export function outcomeOf(ok: boolean, body: unknown): Outcome {
  const { success, message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if (ok && success === true) return { sent: true, text: textOr(message, sentText) };
  return { sent: false, text: textOr(error, refusedText) };
}

/** Sends a message to the people behind the service. Never throws. */
export async function sendMessage(message: ContactMessage): Promise<Outcome> {
  try {
    const { data, error, response } = await api.POST('/api/contact/submit', { body: message });
    return outcomeOf(response.ok, data ?? error);
  } catch (cause) {
    // An answer that cannot be read says neither success nor why not.
    return { sent: false, text: cause instanceof SyntaxError ? refusedText : networkText };
  }
}
