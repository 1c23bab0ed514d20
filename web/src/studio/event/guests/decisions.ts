import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../../platform/api/client';

/** Undoes a request, or holds it up again; for some of its photos, or all. */
export const decideGuestRequest = (id: string, in_force: boolean, photo_ids?: string[]) =>
  unwrapResponse(
    api.PUT('/api/objections/{id}', {
      params: { path: { id } },
      body: { in_force, ...(photo_ids !== undefined && { photo_ids }) },
    }),
    t`The decision could not be saved. Please try again.`,
  );

export type GuestRequest = Awaited<ReturnType<typeof decideGuestRequest>>;
