import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { storedToken, storedUser } from '../../platform/storage/storage';
import { renderScreen } from '../../testing/render';
import { mockServer } from '../../testing/server';
import { NavigationBar } from './NavigationBar';

const logo = () => screen.getByRole('link', { name: 'Afterglow' });

describe.each([
  ['nobody', (): void => undefined],
  [
    'somebody who is no photographer',
    () => {
      storedToken.write('t');
      storedUser.write({ name: 'G', email: 'g@example.com', is_photographer: false });
    },
  ],
] as const)('the logo, for %s', (_, enter) => {
  it.each([false, true])('links to /login in the admin section, minimal: %s [NAV037] (U01)', (minimal) => {
    enter();
    renderScreen(<NavigationBar tone="solid" minimal={minimal} />, '/admin/x');
    expect(logo()).toHaveAttribute('href', '/login');
  });

  it.each([false, true])('links to / everywhere else, minimal: %s [NAV038]', (minimal) => {
    enter();
    mockServer({});
    for (const at of [
      '/',
      '/pricing',
      '/login',
      '/register',
      '/event/x',
      '/privacy',
      '/admin',
      '/administrator',
    ]) {
      const { unmount } = renderScreen(<NavigationBar tone="solid" minimal={minimal} />, at);
      expect(logo(), at).toHaveAttribute('href', '/');
      unmount();
    }
  });
});
