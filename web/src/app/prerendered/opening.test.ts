import { expect, test } from 'vitest';
import { renderOpening } from './opening';

const filled = (value: (place: string) => string) => {
  const page = document.createElement('div');
  page.innerHTML = renderOpening().replace(/\{(\w+)\}/g, (_, place: string) => value(place));
  return page;
};

test('an event opens with places for what the server knows of it [PUB064]', () => {
  const places = [...renderOpening().matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
  expect(places).toEqual([
    'direction',
    'photo',
    'cover',
    'cover',
    'length',
    'name',
    'description',
    'studio',
    'below',
  ]);
  const page = filled((place) => (place === 'cover' ? '/files/a' : place));
  expect(page.querySelector('h1')).toHaveTextContent('name');
  expect([...page.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
    '/files/a',
    '/files/a',
  ]);
});

test('nothing of it can be used, or is in a language', () => {
  const page = filled(() => '');
  expect(page.querySelectorAll('button, a[href], input')).toHaveLength(0);
  expect(page.textContent.trim()).toBe('');
  expect(page.querySelector('main')).toHaveAttribute('aria-busy', 'true');
});

test.each(['sky', 'photo', 'description', 'studio'])('its %s can be left out', (name) => {
  const [whole = ''] = renderOpening().match(new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`)) ?? [];
  const element = document.createElement('div');
  element.innerHTML = whole;
  expect(element.children).toHaveLength(1);
});
