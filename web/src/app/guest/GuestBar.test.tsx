import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { BarTone } from '../../shared/components/barTone';
import { SnackbarProvider } from '../../shared/components/SnackbarProvider';
import { signIn } from '../../shared/testing/render';
import { GuestBar } from './GuestBar';

const user = userEvent.setup();

const Bar = ({ tone }: { tone: BarTone }) => (
  <SnackbarProvider>
    <GuestBar tone={tone} onLanguage={vi.fn()} />
  </SnackbarProvider>
);

const linksInMenu = async () => {
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  return screen.getAllByRole('link').map((link) => link.getAttribute('href'));
};

test('leads a guest to the public pages', async () => {
  render(<Bar tone="sky" />);
  expect(await linksInMenu()).toEqual(['#main', '/', '/pricing', '/contact', '/login', '/register']);
});

test('leads a photographer to the admin pages', async () => {
  signIn();
  render(<Bar tone="sky" />);
  expect(await linksInMenu()).toEqual([
    '#main',
    '/admin/overview',
    '/admin/overview',
    '/admin/events',
    '/admin/upload',
    '/admin/gallery',
  ]);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
});

test('the link to the content moves the focus and leaves the address alone', async () => {
  render(
    <>
      <Bar tone="quiet" />
      <main id="main">Photos</main>
    </>,
  );
  await user.click(screen.getByRole('link', { name: 'Skip to content' }));
  expect(screen.getByRole('main')).toHaveFocus();
  expect(window.location.hash).toBe('');
});
