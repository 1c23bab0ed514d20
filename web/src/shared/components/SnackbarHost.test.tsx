import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AfterglowTheme } from '../theme/AfterglowTheme';
import { SnackbarHost } from './SnackbarHost';
import { type SnackbarMessage, useSnackbar } from './snackbar';

function Speaker({ message }: { message: SnackbarMessage }) {
  const show = useSnackbar();
  return <button onClick={() => show(message)}>Say it</button>;
}

function say(message: SnackbarMessage) {
  render(
    <AfterglowTheme>
      <SnackbarHost>
        <Speaker message={message} />
      </SnackbarHost>
    </AfterglowTheme>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Say it' }));
}

const pass = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });

beforeEach(() => void vi.useFakeTimers());

test('[FACE018] [CONST027] [CONST028] [PUB040] a message stands at the bottom and goes after 6 s', () => {
  say({ tone: 'success', text: 'Saved.' });
  const bar = screen.getByRole('status');
  expect(bar).toHaveTextContent('Saved.');
  const place = getComputedStyle(bar.parentElement ?? bar);
  expect(place.position).toBe('fixed');
  expect(place.bottom).not.toBe('');
  pass(5999);
  expect(bar).toBeVisible();
  pass(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('[FACE019] an error is red, and interrupts a screen reader', () => {
  say({ tone: 'error', text: 'Lost.' });
  expect(screen.getByRole('alert')).toHaveStyle({ backgroundColor: '#A30F39' });
});

test('[FACE020] a success is green', () => {
  say({ tone: 'success', text: 'Saved.' });
  expect(screen.getByRole('status')).toHaveStyle({ backgroundColor: '#14603E' });
});

test('it waits while the pointer is on it', () => {
  say({ tone: 'success', text: 'Saved.' });
  fireEvent.pointerEnter(screen.getByRole('status'));
  pass(60_000);
  fireEvent.pointerLeave(screen.getByRole('status'));
  pass(5999);
  expect(screen.getByRole('status')).toBeVisible();
  pass(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('the same words said again stay as long as the first time', () => {
  say({ tone: 'success', text: 'Saved.' });
  pass(4000);
  fireEvent.click(screen.getByRole('button', { name: 'Say it' }));
  pass(5999);
  expect(screen.getByRole('status')).toBeVisible();
});

test.each(['the button', 'Escape'])('%s dismisses it', (way) => {
  say({ tone: 'error', text: 'Lost.' });
  if (way === 'Escape') fireEvent.keyDown(window, { key: 'Escape' });
  else fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
