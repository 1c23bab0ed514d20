import { act, renderHook, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import { useDownloads } from '../downloads/useDownloads';
import { mockFormServer } from '../testing';
import { useFaceSearch } from './useFaceSearch';

const wrapper = ({ children }: { children: ReactNode }) => <SnackbarProvider>{children}</SnackbarProvider>;

test.each([[42], ['hello'], ['data:text/plain,hi'], [null]])(
  '[FACE030] %j given as a search image is refused with its text and sends nothing',
  async (image) => {
    const server = mockFormServer({});
    const { result } = renderHook(() => useFaceSearch('aanya-rohan'), { wrapper });
    await act(() => result.current.submit(image));
    expect(screen.getByRole('alert')).toHaveTextContent('Invalid image data provided for search.');
    expect(result.current.state.phase).toBe('capture');
    expect(server.calls).toHaveLength(0);
  },
);

test('[DOWN012] saving all of no results says so', async () => {
  const { result } = renderHook(() => useDownloads('file', { downloads: 'original', keeps_names: false }), {
    wrapper,
  });
  await act(async () => {
    result.current.downloadAll([]);
    await Promise.resolve();
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('No photos to download.');
});
