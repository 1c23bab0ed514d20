import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../../platform/api/client';
import type { components } from '../../../../platform/api/schema.gen';

export type Team = components['schemas']['TeamBody'];
export type TeamMember = components['schemas']['TeamMemberBody'];
export type Invitation = components['schemas']['InvitationBody'];

/** Who works on an event, by its id, although the path parameter is named slug; for its owner and managers. */
export const teamQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['team', eventId] as const,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/events/{event}/team', { params: { path: { event: eventId } }, signal }),
        t`The team could not be loaded. Please try again.`,
      ),
  });
