import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';
import type { components } from '../../platform/api/schema.gen';

export type Invitation = components['schemas']['InvitationPreviewBody'];

const notSavedText = () => t`Your answer could not be saved. Please try again.`;

/** What the invitation of a token is for; whoever has the link may see it. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.POST('/api/invitations/look', { body: { token }, signal }),
        t`The invitation could not be loaded. Please try again.`,
      ),
    retry: false,
    staleTime: Infinity,
  });

export const acceptInvitation = (token: string) =>
  unwrapResponse(api.POST('/api/invitations/accept', { body: { token } }), notSavedText());

export const declineInvitation = (token: string) =>
  unwrapResponse(api.POST('/api/invitations/decline', { body: { token } }), notSavedText());
