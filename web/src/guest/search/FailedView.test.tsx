import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { mockServer } from '../../testing/server';
import { searchQuery } from '../testing';
import { FailedView } from './FailedView';
import type { SearchQuery } from './search';
import type { FaceSearch } from './useFaceSearch';

const brightness = vi.hoisted<{ of: number | null }>(() => ({ of: 128 }));

vi.mock('../capture/camera', async (original) => ({
  ...(await original<object>()),
  brightnessOfPicture: () => Promise.resolve(brightness.of),
}));

function show(code: string, query: SearchQuery = searchQuery()) {
  mockServer({});
  render(
    <FailedView
      cover={null}
      event={{ slug: 'aanya-rohan', expires_at: null }}
      query={query}
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

test('where no selfie is at hand, as in results of a link whose photos have gone, nothing repeats the search', () => {
  show('no_matches', { ...searchQuery(), selfies: [], kept: null });
  expect(screen.queryByRole('button', { name: 'Search Again' })).not.toBeInTheDocument();
  expect(screen.queryByRole('group', { name: 'Show more / fewer photos' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Take New Photo' })).toBeVisible();
});

test('with a selfie the search can be repeated, as strictly as the guest likes', () => {
  show('no_matches');
  expect(screen.getByRole('button', { name: 'Search Again' })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Show more / fewer photos' })).toBeVisible();
});
