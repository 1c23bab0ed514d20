import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { useMenuEntry } from '../../guest/menuEntries';
import type { Studio } from '../../platform/api/types';
import type { BarTone } from '../../ui/barTone';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import { signIn } from '../../testing/render';
import { GuestBar } from './GuestBar';

const user = userEvent.setup();

const Bar = ({ tone, studio = null }: { tone: BarTone; studio?: Studio | null }) => (
  <SnackbarProvider>
    <GuestBar tone={tone} studio={studio} maker={null} onLanguage={vi.fn()} />
  </SnackbarProvider>
);

const linksInMenu = async () => {
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await waitFor(() => expect(screen.getAllByRole('link').length).toBeGreaterThan(2));
  return screen.getAllByRole('link').map((link) => link.getAttribute('href'));
};

test('leads a guest to the public pages', async () => {
  render(<Bar tone="sky" />);
  expect(await linksInMenu()).toEqual(['#main', '/', '/pricing', '/contact', '/login', '/register']);
});

const studio: Studio = {
  name: 'Studio Meera',
  accent: null,
  website: null,
  instagram: null,
  contact: null,
  logo: { url: '/api/studio/logos/a', width: 800, height: 240 },
  dark_logo: null,
};

test('shows whose photos they are beside the mark: the logo, or the name of a studio without one', async () => {
  const page = render(<Bar tone="sky" studio={studio} />);
  const logo = await screen.findByRole('img', { name: 'Studio Meera' });
  expect(logo).toHaveAttribute('src', '/api/studio/logos/a');
  page.rerender(<Bar tone="quiet" studio={{ ...studio, logo: null }} />);
  expect(screen.queryByRole('img', { name: 'Studio Meera' })).toBeNull();
  expect(screen.getByText('Studio Meera')).toBeVisible();
});

test('has the logo for dark grounds over the sky and in the dark theme', async () => {
  const dark = { url: '/api/studio/dark-logos/b', width: 800, height: 240 };
  const both = { ...studio, dark_logo: dark };
  const page = render(<Bar tone="sky" studio={both} />);
  const logo = await screen.findByRole('img', { name: 'Studio Meera' });
  const source = () => {
    const element = logo.parentElement?.querySelector('source');
    return [element?.getAttribute('media'), element?.getAttribute('srcset'), logo.getAttribute('src')];
  };
  expect(source()).toEqual(['all', dark.url, studio.logo?.url]);
  page.rerender(<Bar tone="quiet" studio={both} />);
  expect(source()).toEqual(['(prefers-color-scheme: dark)', dark.url, studio.logo?.url]);
  page.rerender(<Bar tone="quiet" studio={studio} />);
  expect(source()).toEqual(['(prefers-color-scheme: dark)', studio.logo?.url, studio.logo?.url]);
  page.rerender(<Bar tone="quiet" studio={{ ...both, logo: null }} />);
  expect(source()).toEqual(['(prefers-color-scheme: dark)', dark.url, dark.url]);
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

test('has what guests can do where they are before the links of every page', async () => {
  const run = vi.fn<() => void>();
  const View = () => {
    useMenuEntry('Browse all photos', run);
    return null;
  };
  const page = render(
    <>
      <Bar tone="quiet" />
      <View />
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const entry = await screen.findByRole('button', { name: 'Browse all photos' });
  const pricing = screen.getByRole('link', { name: 'Pricing' });
  expect(entry.compareDocumentPosition(pricing) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  await user.click(entry);
  expect(run).toHaveBeenCalledOnce();
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  page.rerender(<Bar tone="quiet" />);
});

describe('the page of a studio with a logo [BRAND049]', () => {
  const Page = ({ maker }: { maker: string }) => (
    <SnackbarProvider>
      <GuestBar tone="sky" studio={studio} maker={maker} onLanguage={vi.fn()} />
    </SnackbarProvider>
  );
  const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

  test('has no links for photographers, only what the service is called', async () => {
    render(<Page maker="Afterglow" />);
    expect(links()).toEqual(['#main']);
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    expect(await screen.findByRole('link', { name: 'with Afterglow' })).toHaveAttribute('href', '/');
    expect(links()).toEqual(['#main', '/']);
  });

  test('has not even that where the operator leaves it out', async () => {
    render(<Page maker="" />);
    expect(await screen.findByRole('img', { name: 'Studio Meera' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    await screen.findByRole('navigation');
    expect(links()).toEqual(['#main']);
  });

  test('leads its photographer to the admin pages', async () => {
    signIn();
    render(<Page maker="Afterglow" />);
    expect(await linksInMenu()).toContain('/admin/gallery');
  });
});
