import { i18n } from '@lingui/core';
import { afterEach, expect, it } from 'vitest';
import { addMessages } from './addMessages';

afterEach(() => i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} }));

it('adds the messages of a feature to those of the language that is shown', async () => {
  i18n.loadAndActivate({ locale: 'de', locales: 'de', messages: { menu: 'Menü' } });
  await addMessages(({ tag }) => Promise.resolve({ tell: tag === 'de' ? 'Benachrichtigen' : 'Tell' }));
  expect([i18n._('menu'), i18n._('tell')]).toEqual(['Menü', 'Benachrichtigen']);
  await expect(addMessages(() => Promise.reject(new TypeError('network')))).rejects.toThrow('network');
});
