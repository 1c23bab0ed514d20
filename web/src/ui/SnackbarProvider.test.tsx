import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AfterglowTheme } from './theme/AfterglowTheme';
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

/** A modal dialog, as our camera and the libraries' viewers and dialogs are. */
function WithDialog({ kind, message }: { kind: 'dialog' | 'aria-modal'; message: SnackbarMessage }) {
  const [open, setOpen] = useState(false);
  const show = useSnackbar();
  const content = (
    <>
      <button onClick={() => show(message)}>Show</button>
      <button onClick={() => setOpen(false)}>Close</button>
    </>
  );
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {open && kind === 'dialog' && <dialog open>{content}</dialog>}
      {open && kind === 'aria-modal' && (
        <div role="dialog" aria-modal="true">
          {content}
        </div>
      )}
    </>
  );
}

describe.each(['dialog', 'aria-modal'] as const)('over a modal dialog (%s)', (kind) => {
  const press = async (name: string) => {
    fireEvent.click(screen.getByRole('button', { name }));
    // An observer of the document tells of the dialog.
    await act(() => Promise.resolve());
  };

  async function showInDialog(message: SnackbarMessage) {
    render(
      <AfterglowTheme>
        <SnackbarProvider>
          <WithDialog kind={kind} message={message} />
        </SnackbarProvider>
      </AfterglowTheme>,
    );
    await press('Open');
    await press('Show');
  }

  test('[FACE093] a message is in the dialog, where it is seen, and read by a screen reader', async () => {
    await showInDialog({ tone: 'success', text: 'Saved.' });
    expect(within(screen.getByRole('dialog')).getByRole('status')).toHaveTextContent('Saved.');
    expect(screen.getAllByText('Saved.')).toHaveLength(1);
  });

  test('a message of the page stays below a dialog that is opened later', async () => {
    render(
      <AfterglowTheme>
        <SnackbarProvider>
          <ShowButton message={{ tone: 'success', text: 'Saved.' }} />
          <WithDialog kind={kind} message={{ tone: 'success', text: 'Of the dialog.' }} />
        </SnackbarProvider>
      </AfterglowTheme>,
    );
    await press('Show');
    await press('Open');
    expect(screen.getByText('Saved.').closest('dialog, [aria-modal]')).toBeNull();
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Show' }));
    expect(within(screen.getByRole('dialog')).getByText('Of the dialog.')).toBeVisible();
  });

  test('[FACE093] it outlives the dialog, is not announced again, and goes after its time', async () => {
    await showInDialog({ tone: 'error', text: 'Lost.' });
    advance(5000);
    await press('Close');
    expect(screen.getByText('Lost.')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    advance(1000);
    expect(screen.queryByText('Lost.')).not.toBeInTheDocument();
  });
});

test.each(['success', 'error'] as const)('[FACE093] a message (%s) is in one live region', (tone) => {
  showMessage({ tone, text: 'Said.' });
  const regions: Element[] = [];
  for (let at: Element | null = screen.getByText('Said.'); at !== null; at = at.parentElement)
    if (at.matches('[aria-live], [role=status], [role=alert]')) regions.push(at);
  expect(regions).toHaveLength(1);
  expect(regions[0]).toHaveAttribute('aria-live', tone === 'error' ? 'assertive' : 'polite');
});
