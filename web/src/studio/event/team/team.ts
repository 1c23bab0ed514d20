import { t } from '@lingui/core/macro';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { MemberRole } from '../../shared/events/sharing/roles';

// The parameter named slug is the event's id.

/** Sends an invitation; one that the address has already is replaced. */
export const invite = (eventId: string, body: { email: string; role: MemberRole }) =>
  unwrapResponse(
    api.POST('/api/events/{event}/invitations', { params: { path: { event: eventId } }, body }),
    t`The invitation could not be sent. Please try again.`,
  );

export const withdrawInvitation = (eventId: string, id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{event}/invitations/{id}', {
      params: { path: { event: eventId, id } },
    }),
    t`The invitation could not be withdrawn. Please try again.`,
  );

export const changeRole = (eventId: string, id: string, role: MemberRole) =>
  unwrapResponse(
    api.PATCH('/api/events/{event}/members/{id}', {
      params: { path: { event: eventId, id } },
      body: { role },
    }),
    t`The role could not be changed. Please try again.`,
  );

export const removeMember = (eventId: string, id: string) =>
  unwrapResponse(
    api.DELETE('/api/events/{event}/members/{id}', {
      params: { path: { event: eventId, id } },
    }),
    t`The person could not be removed. Please try again.`,
  );
