import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { listing } from '../testing/events';
import { anEvent } from '../testing/fixtures';
import { signIn } from '../testing/render';
import { json, mockServer } from '../testing/server';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';
import { createQueryClient } from './App';
import { routes } from './routes';

const uploads = vi.hoisted(() => ({ signals: [] as AbortSignal[] }));
vi.mock('../platform/api/upload', () => ({
  uploadPhoto: ({ signal }: { signal: AbortSignal }) => {
    uploads.signals.push(signal);
    return new Promise(() => undefined);
  },
}));

let broken = true;
function Breaking() {
  if (broken) throw new Error('secret of the code');
  return <p>works again</p>;
}

/** The routes with a screen that breaks at each path but that of uploads; and these paths. */
function breakScreens(given: readonly RouteObject[], under = ''): { routes: RouteObject[]; paths: string[] } {
  const paths: string[] = [];
  const changed = given.map((route): RouteObject => {
    const path = route.path?.startsWith('/') === true ? route.path : `${under}/${route.path ?? ''}`;
    if (route.children !== undefined) {
      const children = breakScreens(route.children, route.path === undefined ? under : path);
      paths.push(...children.paths);
      return { ...route, children: children.routes };
    }
    if (route.lazy === undefined || path === '/admin/upload') return route;
    paths.push(path);
    return Object.assign({}, route, { lazy: undefined, Component: Breaking });
  });
  return { routes: changed, paths };
}

it('a screen that breaks takes nothing else away: uploads go on, and it is tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  signIn();
  mockServer({
    ...listing(() => [anEvent()]),
    'GET /api/objections': () => json({ objections: [] }),
    'GET /api/site': () => json({ public_url: 'https://photos.example' }),
    'GET /api/subscription/credits': () =>
      json({ credits: 618, total_credits_earned: 700, total_credits_spent: 82, is_first_recharge: false }),
    'GET /api/photos/search': () => json({ photos: [], total_count: 0, next_cursor: null }),
    'HEAD /api/health': () => new Response(null),
  });
  const { routes: breaking, paths } = breakScreens(routes);
  const screens = paths.filter(
    (path) => path.startsWith('/admin/') && !path.startsWith('/admin/administration'),
  );
  expect(screens).toEqual(
    expect.arrayContaining([
      '/admin/overview',
      '/admin/events',
      '/admin/gallery',
      '/admin/settings',
      '/admin/account',
    ]),
  );
  const router = createMemoryRouter(breaking, { initialEntries: ['/admin/upload?event=e1'] });
  render(
    <I18nProvider i18n={i18n}>
      <AfterglowTheme>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>,
  );
  const files = [new File(['x'], 'a.jpg', { type: 'image/jpeg' })];
  fireEvent.change(await screen.findByLabelText('Choose photos'), { target: { files } });
  await waitFor(() => expect(uploads.signals).toHaveLength(1));
  for (const path of screens) {
    broken = true;
    await act(() => router.navigate(path.replace(':id', '1')));
    expect(await screen.findByText('Unexpected Application Error!'), path).toBeVisible();
    expect(screen.queryByText(/secret of the code/), path).toBeNull();
    expect(screen.getByRole('region', { name: 'Uploads' }), path).toHaveTextContent('0 of 1');
    expect(screen.getByRole('banner'), path).toBeVisible();
    broken = false;
    const alert = screen.getByRole('main');
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('works again'), path).toBeVisible();
  }
  expect(uploads.signals.map(({ aborted }) => aborted)).toEqual([false]);
});

it('what breaks is shown anew on request', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  broken = true;
  render(
    <ErrorBoundary fallback={(retry) => <button onClick={retry}>again</button>}>
      <Breaking />
    </ErrorBoundary>,
  );
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: 'again' }));
  expect(screen.getByText('works again')).toBeVisible();
});
