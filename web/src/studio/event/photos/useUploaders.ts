import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { Photo } from '../../../platform/api/types';
import { teamQuery } from '../../shared/events/sharing/team';
import { ownersPhotos } from './filters';

/** Somebody whose photos can be shown alone. */
export interface Uploader {
  /** The account's id, or `ownersPhotos`. */
  id: string;
  name: string;
}

const nobody: readonly Uploader[] = [];

/** Who uploaded photos of an event, once one of these is a member's; nobody for contributors, who see their own alone. */
export function useUploaders(
  eventId: string,
  managed: boolean,
  photos: readonly Photo[],
): readonly Uploader[] {
  const enabled = managed && photos.some(({ uploader }) => uploader != null);
  const { data } = useQuery({ ...teamQuery(eventId), enabled });
  if (!enabled || data === undefined) return nobody;
  return [
    { id: ownersPhotos, name: t`${{ name: data.owner.name }} (owner)` },
    ...data.members.map(({ id, name }) => ({ id, name })),
  ];
}
