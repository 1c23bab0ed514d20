import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { mockServer } from '../../testing/server';
import { searchQuery } from '../testing';
import { FailedView } from './FailedView';
import type { FaceSearch } from './useFaceSearch';

const brightness = vi.hoisted<{ of: number | null }>(() => ({ of: 128 }));

vi.mock('../capture/camera', async (original) => ({
  ...(await original<object>()),
  brightnessOfPicture: () => Promise.resolve(brightness.of),
}));

function show(code: string) {
  mockServer({});
  render(
    <FailedView
      cover={null}
      event={{ slug: 'aanya-rohan', expires_at: null }}
      query={searchQuery()}
      failure={{ text: 'No face found in the photo.', code, transient: false }}
      indexing={{ indexed: 900, waiting: 0, total: 900 }}
      subscriptionToken={null}
      blurred={false}
      search={{} as FaceSearch}
      onBrowse={undefined}
      onNewPhoto={() => undefined}
      onPick={() => undefined}
    />,
  );
}

beforeEach(() => {
  brightness.of = 128;
});

test.each([
  [20, 'It is dark here. Turn towards a light.'],
  [240, 'Very bright. Turn away from the light.'],
])('of a selfie without a face, as bright as %i, the light is named', async (value, text) => {
  brightness.of = value;
  show('no_face');
  expect(await screen.findByText(text)).toBeVisible();
});

test.each([
  [128, 'no_face'],
  [null, 'no_face'],
  [20, 'too_blurry'],
])('nothing is said of the light of %j after %s', async (value, code) => {
  brightness.of = value;
  show(code);
  expect(screen.getByRole('alert')).toHaveTextContent('No face found in the photo.');
  await Promise.resolve();
  expect(screen.queryByText(/light/)).not.toBeInTheDocument();
});
