import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AfterglowTheme } from '../theme/AfterglowTheme';
import { SnackbarProvider } from './SnackbarProvider';
import { type SnackbarMessage, useSnackbar } from './useSnackbar';

function ShowButton({ message }: { message: SnackbarMessage }) {
  const show = useSnackbar();
  return (
    <>
      <button onClick={() => show(message)}>Show</button>
      <button onClick={() => show(null)}>Hide</button>
    </>
  );
}

function showMessage(message: SnackbarMessage) {
  render(
    <AfterglowTheme>
      <SnackbarProvider>
        <ShowButton message={message} />
      </SnackbarProvider>
    </AfterglowTheme>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
}

const advance = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });

beforeEach(() => void vi.useFakeTimers());

test('[FACE018] [CONST027] [CONST028] [PUB040] a message is shown at the bottom and hides after 6 s', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  const bar = screen.getByRole('status');
  expect(bar).toHaveTextContent('Saved.');
  const place = getComputedStyle(bar.parentElement ?? bar);
  expect(place.position).toBe('fixed');
  expect(place.bottom).not.toBe('');
  advance(5999);
  expect(bar).toBeVisible();
  advance(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('[FACE019] an error is red, and interrupts a screen reader', () => {
  showMessage({ tone: 'error', text: 'Lost.' });
  expect(screen.getByRole('alert')).toHaveStyle({ backgroundColor: '#A30F39' });
});

test('[FACE020] a success is green', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  expect(screen.getByRole('status')).toHaveStyle({ backgroundColor: '#14603E' });
});

test('the timer pauses while the snackbar is hovered', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  fireEvent.pointerEnter(screen.getByRole('status'));
  advance(60_000);
  fireEvent.pointerLeave(screen.getByRole('status'));
  advance(5999);
  expect(screen.getByRole('status')).toBeVisible();
  advance(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a repeated message restarts the timer', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  advance(4000);
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  advance(5999);
  expect(screen.getByRole('status')).toBeVisible();
});

test('showing null hides it', () => {
  showMessage({ tone: 'error', text: 'Lost.' });
  fireEvent.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test.each(['the button', 'Escape'])('%s dismisses it', (method) => {
  showMessage({ tone: 'error', text: 'Lost.' });
  if (method === 'Escape') fireEvent.keyDown(window, { key: 'Escape' });
  else fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
