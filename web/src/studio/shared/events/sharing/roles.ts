import type { Event } from '../../../../platform/api/types';

/** What the photographer is in an event: its owner, or a member of its team. */
export type Role = Event['role'];
/** What a member can be. */
export type MemberRole = Exclude<Role, 'owner'>;

/** Whether somebody may change an event and sees all of its photos. Not while the role is unknown: the server refuses. */
export const manages = (role: Role | undefined): boolean => role === 'owner' || role === 'manager';

/** Whether it is somebody's own event. */
export const owns = (role: Role | undefined): boolean => role === 'owner';
