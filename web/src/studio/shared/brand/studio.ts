import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';

/** A studio as it is entered: what is empty is not shown. */
export interface NewStudio {
  name: string;
  accent: string;
  website: string;
  instagram: string;
  contact: string;
}

export const studioQuery = () =>
  queryOptions({
    queryKey: ['studio'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/studio', { signal }),
        t`The studio could not be loaded. Please try again.`,
      ),
  });

export const saveStudio = (body: NewStudio) =>
  unwrapResponse(api.PUT('/api/studio', { body }), t`The studio could not be saved. Please try again.`);

export const removeStudio = () =>
  unwrapResponse(api.DELETE('/api/studio'), t`The studio could not be saved. Please try again.`);

/** What the themes would make of a colour. */
export const accentQuery = (color: string) =>
  queryOptions({
    queryKey: ['studio', 'accent', color],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/studio/accent', { params: { query: { color } }, signal }),
        t`The preview of the colour could not be loaded. Please try again.`,
      ),
    // It follows from the colour alone.
    staleTime: Infinity,
  });

/** What a logo is made to lie on. */
export type Ground = 'light' | 'dark';

/** Sends a logo, which the server makes anew of its pixels. */
export const uploadLogo = ({ ground, logo }: { ground: Ground; logo: File }) => {
  const form = new FormData();
  form.append('logo', logo, logo.name);
  const request = { body: { logo: '' }, bodySerializer: () => form };
  return unwrapResponse(
    ground === 'dark' ? api.PUT('/api/studio/dark-logo', request) : api.PUT('/api/studio/logo', request),
    t`The logo could not be saved. Please try again.`,
  );
};

export const removeLogo = (ground: Ground) =>
  unwrapResponse(
    ground === 'dark' ? api.DELETE('/api/studio/dark-logo') : api.DELETE('/api/studio/logo'),
    t`The logo could not be saved. Please try again.`,
  );

/** The bytes of a logo, for a print. */
export async function loadLogo(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(url, window.location.origin));
  if (!response.ok) throw new Error(`the logo: status ${String(response.status)}`);
  return new Uint8Array(await response.arrayBuffer());
}
