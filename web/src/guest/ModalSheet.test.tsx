import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ModalSheet } from './ModalSheet';

function open() {
  const onClose = vi.fn();
  render(
    <ModalSheet aria-label="Comment" onClose={onClose}>
      <textarea aria-label="Text" />
    </ModalSheet>,
  );
  return { onClose, backdrop: screen.getByRole('dialog'), field: screen.getByRole('textbox') };
}

test('a tap beside a sheet closes it', () => {
  const { onClose, backdrop } = open();
  fireEvent.pointerDown(backdrop);
  fireEvent.click(backdrop);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('text that is selected with a press that ends beside the sheet does not close it', () => {
  const { onClose, backdrop, field } = open();
  fireEvent.pointerDown(backdrop);
  fireEvent.pointerDown(field);
  // The target is what both ends of the press have in common.
  fireEvent.click(backdrop);
  expect(onClose).not.toHaveBeenCalled();
});
