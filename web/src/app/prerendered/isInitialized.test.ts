import { createMemoryRouter, redirect } from 'react-router';
import { expect, it } from 'vitest';
import { isInitialized } from './isInitialized';

const route = { path: '/pricing', lazy: () => Promise.resolve({ Component: () => null }) };

it.each([
  ['is there', route, true],
  ['could not be loaded', { ...route, lazy: () => Promise.reject(new Error('offline')) }, false],
  ['is another one', { ...route, loader: () => redirect('/') }, false],
])('the first screen %s [NAV083]', async (_, first, expected) => {
  const router = createMemoryRouter([first, { path: '/', element: null }], { initialEntries: ['/pricing'] });
  expect(await isInitialized(router, '/pricing')).toBe(expected);
  // Once more, when nothing has to be waited for.
  expect(await isInitialized(router, '/pricing')).toBe(expected);
});
