import { expect, test } from 'vitest';
import { defaultFacts, parseFacts } from './siteFacts';

test('what the server does not say has its default', () => {
  expect(parseFacts(null)).toEqual(defaultFacts);
  expect(parseFacts({ support_email: 'help@studio.example', retention_days: 0 })).toEqual({
    ...defaultFacts,
    supportEmail: 'help@studio.example',
    retentionDays: 0,
  });
});

test('a setting that is no web address is not linked to', () => {
  expect(
    parseFacts({ social: { x: 'javascript:alert(1)', facebook: 'https://fb.example/a' } }).social,
  ).toEqual({
    ...defaultFacts.social,
    facebook: 'https://fb.example/a',
  });
});
