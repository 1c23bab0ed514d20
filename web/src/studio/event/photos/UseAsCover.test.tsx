import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { anEvent } from '../../../testing/fixtures';
import { errorResponse, json } from '../../../testing/server';
import { renderPage, setUpGallery } from './testing';

const user = userEvent.setup();
const route = 'PATCH /api/events/e1';

beforeEach(setUpGallery);

async function press() {
  await user.click(await screen.findByRole('button', { name: 'Use as cover' }));
}

// The page says so, and offers the way back.
test('the photo that is looked at becomes the cover', async () => {
  const server = renderPage(
    { [route]: () => json(anEvent({ cover_url: '/api/files/p1/medium' })) },
    '/admin/gallery?event=e1&photo=p1',
  );
  await press();
  expect(await screen.findByText('Guests see this photo as the cover now.')).toBeVisible();
  expect(server.callsTo(route).map(({ body }) => body)).toEqual([{ cover_photo_id: 'p1' }]);
});

test('why it cannot be the cover is said', async () => {
  const refusal = 'The cover must be a searchable photo of this event that no guest has asked to hide';
  renderPage({ [route]: () => errorResponse(422, refusal) }, '/admin/gallery?event=e1&photo=p1');
  await press();
  expect(await screen.findByText(refusal)).toBeVisible();
});
