import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anEvent } from '../testing/fixtures';
import { Cover } from './Cover';

const show = (photo: string | null) => {
  const { container } = render(<Cover event={{ ...anEvent({ cover_url: photo }), studio: null }} />);
  return () => [...container.querySelectorAll('img')].map((image) => image.getAttribute('src'));
};
const sky = '/covers/sangeet-k7m2x9q4tr.svg';

test('the chosen photo is over the sky, which is there when it cannot be loaded', () => {
  const link = '/api/files/p1/medium?expires=1';
  const sources = show(`http://elsewhere.example${link}`);
  expect(sources()).toEqual([sky, link]);
  const [, photo] = document.querySelectorAll('img');
  fireEvent.error(photo as HTMLImageElement);
  expect(sources()).toEqual([sky]);
});

test('without one there is the sky', () => {
  expect(show(null)()).toEqual([sky]);
});
