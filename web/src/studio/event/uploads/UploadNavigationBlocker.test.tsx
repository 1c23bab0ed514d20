import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectEvent } from '../../../platform/session/selection';
import { confirmDiscardUnsavedWork } from '../../../platform/session/unsavedWork';
import { anEvent } from '../../../testing/fixtures';
import { signIn } from '../../../testing/render';
import { accepted, choose, image, renderPage, resetUploads, settle, uploads } from './testing';
import { leaveConfirmationText } from './UploadNavigationBlocker';

const dispatchBeforeUnload = () => {
  const event = new Event('beforeunload', { cancelable: true });
  Object.defineProperty(event, 'returnValue', { value: '', writable: true });
  window.dispatchEvent(event);
  return event;
};

beforeEach(() => {
  resetUploads();
  signIn();
  selectEvent(anEvent());
});

describe('leaving while uploads run', () => {
  it('asks before the page closes, only while uploads run [UPL044] [UPL045]', async () => {
    renderPage();
    await screen.findByLabelText('Choose photos');
    expect(dispatchBeforeUnload().defaultPrevented).toBe(false);
    await choose(image('a.jpg'));
    await screen.findByText('a.jpg');
    const asked = dispatchBeforeUnload();
    expect(asked.defaultPrevented).toBe(true);
    expect(Reflect.get(asked, 'returnValue')).toBe(
      'You have uploads in progress. Are you sure you want to leave?',
    );
  });

  it('keeps uploads and asks nothing when moving between admin screens, by link or browser back', async () => {
    const { router } = renderPage();
    await act(() => router.navigate('/admin/gallery'));
    await act(() => router.navigate('/admin/upload'));
    await choose(image('a.jpg'), image('b.jpg'));
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    await act(() => router.navigate(-1));
    expect(await screen.findByText('arrived at /admin/gallery')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    const strip = screen.getByRole('region', { name: 'Uploads' });
    expect(within(strip).getByRole('link')).toHaveAttribute('href', '/admin/upload');
    expect(within(strip).getByRole('progressbar', { name: 'Uploads' })).toBeInTheDocument();
    expect(strip).toHaveTextContent('0 of 2');
    await settle(accepted);
    await waitFor(() => expect(strip).toHaveTextContent('1 of 2'));
    expect(uploads.requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it('shows on other admin screens that the batch is finished, with its failures', async () => {
    const { router } = renderPage();
    await choose(image('a.jpg'), image('b.jpg'));
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
    await act(() => router.navigate('/admin/events'));
    await settle(accepted, { kind: 'rejected', status: 400, error: 'This file is not an image' });
    const strip = screen.getByRole('region', { name: 'Uploads' });
    await waitFor(() => expect(strip).toHaveTextContent('1 photo uploaded, 1 failed.'));
    await act(() => router.navigate('/admin/account'));
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  });

  it('warns when leaving ends the uploads, and says how many; cancel stays and the transfer goes on, confirm aborts it and leaves [UPL046] [UPL047] [UPL048]', async () => {
    const { router } = renderPage();
    await act(() => router.navigate('/event/sangeet'));
    await act(() => router.navigate('/admin/upload'));
    await choose(image('a.jpg'), image('b.jpg'), image('c.jpg'), image('d.jpg'));
    await waitFor(() => expect(uploads.settle).toHaveLength(3));
    const goBack = async (answer: string, cancelled: string) => {
      await act(() => router.navigate(-1));
      const dialog = await screen.findByRole('dialog', { name: 'Uploads in progress' });
      expect(dialog).toHaveTextContent(leaveConfirmationText());
      expect(dialog).toHaveTextContent(cancelled);
      fireEvent.click(within(dialog).getByRole('button', { name: answer }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    const aborted = () => uploads.requests.map(({ signal }) => signal.aborted);

    await goBack('Stay', '4 photos are not uploaded yet and stay behind.');
    expect(router.state.location.pathname).toBe('/admin/upload');
    expect(aborted()).toEqual([false, false, false]);
    await settle(accepted);
    expect(await screen.findByText('1 of 4')).toBeVisible();
    await waitFor(() => expect(uploads.requests).toHaveLength(4));

    await goBack('Leave', '3 photos are not uploaded yet and stay behind.');
    expect(await screen.findByText('arrived at /event/sangeet')).toBeVisible();
    expect(aborted()).toEqual([false, true, true, true]);
    await act(() => router.navigate('/admin/upload'));
    await screen.findByLabelText('Choose photos');
    expect(screen.queryByText('d.jpg')).toBeNull();
  });

  it('navigates once the last upload finishes while the confirmation is open', async () => {
    const { router } = renderPage();
    await choose(image('a.jpg'));
    await waitFor(() => expect(uploads.settle).toHaveLength(1));
    await act(() => router.navigate('/pricing'));
    expect(await screen.findByText(/^1 photo is not uploaded yet and stays behind\./)).toBeVisible();
    await settle(accepted);
    expect(await screen.findByText('arrived at /pricing')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('offers another event in a new tab, where nothing is cancelled, and none of a logout [NAV081]', async () => {
    const { router } = renderPage();
    await choose(image('a.jpg'), image('b.jpg'));
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    await act(() => router.navigate('/admin/upload?event=e2'));
    const dialog = await screen.findByRole('dialog', { name: 'Uploads in progress' });
    expect(dialog).toHaveTextContent(
      '2 photos are not uploaded yet and stay behind. In a new tab nothing is cancelled.',
    );
    const link = within(dialog).getByRole('link', { name: 'Open in a new tab' });
    expect(link).toHaveAttribute('href', '/admin/upload?event=e2');
    expect(link).toHaveAttribute('target', '_blank');
    fireEvent.click(link);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(uploads.requests.map(({ signal }) => signal.aborted)).toEqual([false, false]);

    const confirmed = vi.fn();
    act(() => void confirmDiscardUnsavedWork().then(confirmed));
    const question = await screen.findByRole('dialog', { name: 'Uploads in progress' });
    expect(within(question).queryByRole('link')).toBeNull();
    expect(question).not.toHaveTextContent('In a new tab');
    fireEvent.click(within(question).getByRole('button', { name: 'Stay' }));
    await waitFor(() => expect(confirmed).toHaveBeenCalledWith(false));
  });
});
