import { expect, test } from 'vitest';
import { defaultSiteInfo, parseSiteInfo } from './siteInfo';

test('missing fields get their defaults', () => {
  expect(parseSiteInfo(null)).toEqual(defaultSiteInfo);
  expect(parseSiteInfo({ support_email: 'help@studio.example', retention_days: 0 })).toEqual({
    ...defaultSiteInfo,
    supportEmail: 'help@studio.example',
    retentionDays: 0,
    longestRetentionDays: 0,
  });
});

test('a URL that is not http or https is ignored', () => {
  expect(
    parseSiteInfo({ social: { x: 'javascript:alert(1)', facebook: 'https://fb.example/a' } }).social,
  ).toEqual({
    ...defaultSiteInfo.social,
    facebook: 'https://fb.example/a',
  });
});
