import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../api/client';

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
