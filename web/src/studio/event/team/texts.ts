import { plural, t } from '@lingui/core/macro';
import type { MemberRole, Role } from '../../shared/events/sharing/roles';

export const roleNames = (): Record<Role, string> => ({
  owner: t`Owner`,
  manager: t`Manager`,
  contributor: t`Contributor`,
});

/** What a member may do. */
export const roleHelp = (): Record<MemberRole, string> => ({
  contributor: t`Uploads photos, and sees and deletes their own.`,
  manager: t`Does all that you do, except delete the event, change how long photos are kept, and make managers.`,
});

export const photosText = (count: number): string => plural(count, { one: '# photo', other: '# photos' });
