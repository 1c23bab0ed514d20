import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Event } from '../../api/types';
import { useSession } from '../../session/session';
import { loadedEvent } from '../eventPages';
import { eventQuery } from '../queries';

/** What the photographer is in an event: its owner, or a member of its team. */
export type Role = Event['role'];
/** What a member can be. */
export type MemberRole = Exclude<Role, 'owner'>;

/** Whether somebody may change an event and sees all of its photos. Not while the role is unknown: the server refuses. */
export const manages = (role: Role | undefined): boolean => role === 'owner' || role === 'manager';

/** An event as it is loaded: by its id, or in a list. Undefined until it is, and when it is not the photographer's. */
export function useLoadedEvent(id: string): Event | undefined {
  const client = useQueryClient();
  const { data } = useQuery(eventQuery(useSession(), id));
  return data === undefined ? loadedEvent(client, id) : (data ?? undefined);
}
