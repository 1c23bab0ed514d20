import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listing } from '../../testing/events';
import { anEvent } from '../../testing/fixtures';
import { renderScreen, signIn } from '../../testing/render';
import { mockServer } from '../../testing/server';
import EventsPage from './EventsPage';

it('shows the faces of a cover, in the size of the card [GAL449] [GAL450]', async () => {
  signIn();
  mockServer(
    listing(() => [
      anEvent({
        id: 'e1',
        cover_url: '/files/medium',
        cover_thumbnail_url: '/files/small',
        cover_focus: { x: 0.25, y: 0.5 },
      }),
    ]),
  );
  renderScreen(<EventsPage />, '/admin/events');
  const cover = (await screen.findByRole('article')).querySelector('img');
  expect(cover).toHaveAttribute('src', '/files/small');
  expect(cover).toHaveAttribute('srcset', '/files/small, /files/medium 2x');
  expect(cover).toHaveStyle({ objectPosition: '12.5% 50%' });
});
