import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AfterglowTheme } from '../theme/AfterglowTheme';
import { SnackbarHost } from './SnackbarHost';
import { type SnackbarMessage, useSnackbar } from './snackbar';

function ShowButton({ message }: { message: SnackbarMessage }) {
  const show = useSnackbar();
  return (
    <>
      <button onClick={() => show(message)}>Say it</button>
      <button onClick={() => show(null)}>Take it back</button>
    </>
  );
}

function showMessage(message: SnackbarMessage) {
  render(
    <AfterglowTheme>
      <SnackbarHost>
        <ShowButton message={message} />
      </SnackbarHost>
    </AfterglowTheme>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Say it' }));
}

const advance = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });

beforeEach(() => void vi.useFakeTimers());

test('[FACE018] [CONST027] [CONST028] [PUB040] a message stands at the bottom and goes after 6 s', () => {
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

test('it waits while the pointer is on it', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  fireEvent.pointerEnter(screen.getByRole('status'));
  advance(60_000);
  fireEvent.pointerLeave(screen.getByRole('status'));
  advance(5999);
  expect(screen.getByRole('status')).toBeVisible();
  advance(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('the same words said again stay as long as the first time', () => {
  showMessage({ tone: 'success', text: 'Saved.' });
  advance(4000);
  fireEvent.click(screen.getByRole('button', { name: 'Say it' }));
  advance(5999);
  expect(screen.getByRole('status')).toBeVisible();
});

test('it goes when it is taken back', () => {
  showMessage({ tone: 'error', text: 'Lost.' });
  fireEvent.click(screen.getByRole('button', { name: 'Take it back' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test.each(['the button', 'Escape'])('%s dismisses it', (way) => {
  showMessage({ tone: 'error', text: 'Lost.' });
  if (way === 'Escape') fireEvent.keyDown(window, { key: 'Escape' });
  else fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
