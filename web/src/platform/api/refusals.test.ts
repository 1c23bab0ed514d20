import { i18n, type Messages } from '@lingui/core';
import { afterEach, expect, it } from 'vitest';
import { errorOfResponse } from './errors';

const refused = (code: string, error: string, headers: Record<string, string> = {}) =>
  errorOfResponse(new Response(null, { status: 422, headers }), { error, code }, 'the fallback').message;

const hindi: Messages = {
  'refusal.no_face': ['फ़ोटो में चेहरा नहीं मिला।'],
  'refusal.too_many_requests': ['कृपया ', ['wait'], ' बाद कोशिश करें।'],
};

afterEach(() => i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} }));

it('is said in the language of the page, by its code', () => {
  i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages: hindi });
  expect(refused('no_face', 'No face found in the photo.')).toBe('फ़ोटो में चेहरा नहीं मिला।');
});

it('says how long to wait, as the server does', () => {
  i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages: hindi });
  const wait = (seconds: number) =>
    refused('too_many_requests', 'Too many requests.', { 'Retry-After': String(seconds) });
  expect(wait(45)).toBe('कृपया 45 सेकंड बाद कोशिश करें।');
  expect(wait(130)).toBe('कृपया 3 मिनट बाद कोशिश करें।');
});

it('is the server’s where there is no translation, and in English', () => {
  expect(refused('no_face', 'No face found in the photo.')).toBe('No face found in the photo.');
  i18n.loadAndActivate({ locale: 'hi', locales: 'hi-IN', messages: hindi });
  expect(refused('new_code', 'A newer server says this.')).toBe('A newer server says this.');
});

it('is the fallback of the call without a text of the server', () => {
  expect(errorOfResponse(new Response('', { status: 502 }), null, 'the fallback').message).toBe(
    'the fallback',
  );
});
