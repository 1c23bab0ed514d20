import { i18n, type Messages } from '@lingui/core';
import { afterEach, expect, it } from 'vitest';
import { storedLanguage } from '../storage/storage';
import { english, negotiateLanguage } from './languages';
import { chooseLanguage, startLanguage } from './startLanguage';

const [hindi, french] = [negotiateLanguage(['hi']), negotiateLanguage(['fr'])];

/** A catalogue that arrives when it is told to. */
function slowCatalogue() {
  let arrive: () => void = () => undefined;
  const messages = new Promise<Messages>((resolve) => (arrive = () => resolve({})));
  return { load: () => messages, arrive };
}

afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });
  document.documentElement.lang = 'en';
});

it('is the chosen one, although one that was asked for before comes later', async () => {
  const slow = slowCatalogue();
  const starting = startLanguage(french, slow.load);
  await chooseLanguage(hindi, () => Promise.resolve({}));
  slow.arrive();
  await starting;
  expect(i18n.locale).toBe('hi');
  expect(storedLanguage.read()).toBe('hi');
});

it('is the last of two that were started', async () => {
  const slow = slowCatalogue();
  const starting = startLanguage(french, slow.load);
  await startLanguage(english, () => Promise.resolve({}));
  slow.arrive();
  await starting;
  expect(i18n.locale).toBe('en');
});
