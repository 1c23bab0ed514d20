import { render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import ChoosingLightbox from './ChoosingLightbox';
import { photo } from './testing';

const lightbox = (places: readonly number[], more: object = {}) => (
  <ChoosingLightbox
    startId="p2"
    photos={places.map((at) => photo(at))}
    total={places.length}
    loaded={new Map()}
    open
    markOf={() => ({ chosen: false, comment: '' })}
    onChoose={() => undefined}
    onComment={() => undefined}
    onShow={() => undefined}
    behind={() => undefined}
    onOpenStack={() => undefined}
    onClose={() => undefined}
    {...more}
  />
);

test('the photo that takes the place of one that is gone is shown', () => {
  const { rerender } = render(lightbox([1, 2, 3]));
  const viewer = within(screen.getByRole('dialog', { name: 'Photos to choose from' }));
  expect(viewer.getByText('DSC_2.JPG')).toBeInTheDocument();
  rerender(lightbox([1, 3]));
  expect(viewer.getByText('DSC_3.JPG')).toBeInTheDocument();
  rerender(lightbox([1]));
  expect(viewer.getByText('DSC_1.JPG')).toBeInTheDocument();
});

test('it closes when no photo is left', () => {
  const onClose = vi.fn();
  const { rerender } = render(lightbox([1, 2], { onClose }));
  rerender(lightbox([], { onClose }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
