import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { goBack, mockFormServer, renderEventPage, searchHandlers, selfieFile } from './testing';

const user = userEvent.setup();
const tile = (position: number) => screen.getByRole('button', { name: `Photo ${position} of 3` });

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

test('[FACE092] the viewer keeps the focus, and gives it back to the tile of its last photo', async () => {
  mockFormServer(searchHandlers());
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  for (const [opened, key, last] of [
    [1, 'ArrowRight', 2],
    [3, 'ArrowLeft', 2],
  ] as const) {
    await user.click(tile(opened));
    const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
    await waitFor(() => expect(viewer).toContainElement(document.activeElement as HTMLElement));
    // What is inert takes no focus; jsdom does not know that.
    const outside = [...document.querySelectorAll('button, a[href], input, [tabindex]')].filter(
      (element) => !viewer.contains(element),
    );
    expect(outside.length).toBeGreaterThan(5);
    for (const element of outside) expect(element.closest('[inert]')).not.toBeNull();
    fireEvent.keyDown(viewer.querySelector('.yarl__container') as HTMLElement, { key });
    await waitFor(() => expect(within(viewer).getByRole('status')).toHaveTextContent(`Photo ${last} of 3`));
    fireEvent.keyDown(viewer.querySelector('.yarl__container') as HTMLElement, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(tile(last)).toHaveFocus());
  }
});

test('Back closes the menu of a photo, and then the viewer', async () => {
  mockFormServer(searchHandlers());
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  await user.click(tile(1));
  const viewer = await screen.findByRole('dialog', { name: 'Your Matched Photos' });
  await user.click(within(viewer).getByRole('button', { name: 'More for photo 1' }));
  const entry = within(viewer).getByRole('button', { name: "That's not me" });
  await goBack();
  await waitFor(() => expect(entry).not.toBeInTheDocument());
  expect(viewer).toBeInTheDocument();
  await goBack();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('a photo that cannot be opened without a network says so', async () => {
  vi.doMock('./results/MatchLightbox', () => Promise.reject(new TypeError('offline')));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  mockFormServer(searchHandlers());
  renderEventPage();
  await user.upload(await screen.findByLabelText('upload a photo'), selfieFile());
  await screen.findByRole('heading', { name: 'Your Matched Photos' });
  await user.click(tile(1));
  expect(await screen.findByText(/^You are offline\. /)).toBeVisible();
  vi.doUnmock('./results/MatchLightbox');
});
