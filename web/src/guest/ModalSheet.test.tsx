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

test('a dialog that the browser closes closes its sheet, and no other around it', () => {
  const outer = vi.fn();
  const inner = vi.fn();
  render(
    <ModalSheet aria-label="Remove me" onClose={outer}>
      <ModalSheet aria-label="Camera" onClose={inner}>
        <p>Text</p>
      </ModalSheet>
    </ModalSheet>,
  );
  // As browsers send it, which does not bubble in the document; React lets it.
  const closed = (name: string) => fireEvent(screen.getByRole('dialog', { name }), new Event('close'));
  closed('Camera');
  expect(inner).toHaveBeenCalledTimes(1);
  expect(outer).not.toHaveBeenCalled();
  closed('Remove me');
  expect(inner).toHaveBeenCalledTimes(1);
  expect(outer).toHaveBeenCalledTimes(1);
});
