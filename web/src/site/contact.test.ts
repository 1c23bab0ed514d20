import { describe, expect, test, vi } from 'vitest';
import { sendMessage, sendResultOf } from './contact';

const message = { name: 'A', email: 'a@b.example', subject: 'S', message: 'M' };

describe('a contact message', () => {
  test('[PUB041] that was sent shows the server’s message, or thanks', () => {
    expect(sendResultOf(true, { success: true, message: 'Got it.' })).toEqual({
      sent: true,
      text: 'Got it.',
    });
    expect(sendResultOf(true, { success: true })).toEqual({
      sent: true,
      text: 'Thank you for your message! We will get back to you soon.',
    });
  });

  test('[PUB043] that was rejected shows the server’s error, or asks to try again', () => {
    expect(sendResultOf(false, { error: 'No.' })).toEqual({ sent: false, text: 'No.' });
    expect(sendResultOf(false, null)).toEqual({
      sent: false,
      text: 'Failed to send message. Please try again.',
    });
  });

  test('[PUB046] counts as sent only when the status is ok and success is true', () => {
    expect(sendResultOf(false, { success: true }).sent).toBe(false);
    expect(sendResultOf(true, { success: 'true' }).sent).toBe(false);
    expect(sendResultOf(true, {}).sent).toBe(false);
  });

  test('[PUB044] shows a network error', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('lost')));
    expect(await sendMessage(message)).toEqual({
      sent: false,
      text: 'Network error. Please check your connection and try again.',
    });
  });

  test('[PUB043] [ERR017] a response that cannot be parsed is a failure', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>')));
    expect(await sendMessage(message)).toEqual({
      sent: false,
      text: 'Failed to send message. Please try again.',
    });
  });
});
