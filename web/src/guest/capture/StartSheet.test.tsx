import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anEvent } from '../../testing/fixtures';
import { mockServer } from '../../testing/server';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import type { Access } from '../pin/access';
import { StartSheet } from './StartSheet';

const none = undefined;
const browse = () => undefined;
const access: Access = {
  readAccess: () => null,
  refuseAccess: () => undefined,
  subscribe: () => () => undefined,
};

const heightOf = (element: Element | null | undefined) =>
  Number.parseInt((element as HTMLElement | null | undefined)?.style.minHeight ?? '', 10);

test.each<[string, object, (() => void) | undefined, Access | undefined, number]>([
  ['nothing but to be removed', {}, none, none, 66],
  ['all photos', {}, browse, none, 110],
  ['what comes', { complete: true }, none, none, 98],
  ['photos of guests', { coming_until: '2031-12-12' }, none, access, 142],
  ['everything', { complete: true }, browse, access, 186],
])('keeps the place of what comes later: %s', async (_name, more, onBrowse, adds, height) => {
  mockServer({});
  render(
    <SnackbarProvider>
      <StartSheet
        slug="aanya-rohan"
        event={anEvent({ expires_at: '2031-12-31T00:00:00Z', ...more })}
        adds={adds}
        tells={false}
        titleId="title"
        adding={false}
        indexing={{ indexed: 3, waiting: 0, total: 3 }}
        cameraFailure={null}
        opening={false}
        inApp={null}
        onBrowse={onBrowse}
        onOpenCamera={() => undefined}
        onPick={() => undefined}
        onBack={undefined}
      />
    </SnackbarProvider>,
  );
  const last = (await screen.findByRole('button', { name: 'Remove me from the photos' })).closest('[style]');
  const all = last?.parentElement;
  expect(heightOf(all)).toBe(height);
  expect([...(all?.children ?? [])].reduce((sum, part) => sum + heightOf(part), 0)).toBe(height);
});
