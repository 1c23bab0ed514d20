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

/** Sends a logo, which the server makes anew of its pixels. */
export const uploadLogo = (logo: File) => {
  const form = new FormData();
  form.append('logo', logo, logo.name);
  return unwrapResponse(
    api.PUT('/api/studio/logo', { body: { logo: '' }, bodySerializer: () => form }),
    t`The logo could not be saved. Please try again.`,
  );
};

export const removeLogo = () =>
  unwrapResponse(api.DELETE('/api/studio/logo'), t`The logo could not be saved. Please try again.`);

/** The bytes of a logo, for a print. */
export async function loadLogo(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(url, window.location.origin));
  if (!response.ok) throw new Error(`the logo: status ${String(response.status)}`);
  return new Uint8Array(await response.arrayBuffer());
}
