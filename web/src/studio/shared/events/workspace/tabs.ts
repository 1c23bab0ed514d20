import { t } from '@lingui/core/macro';
import type { EventScreenPath } from '../eventScreens';

export interface Tab {
  path: EventScreenPath;
  label: string;
}

/** The screens of an event that its header leads to. */
export const tabs = (): Tab[] => [
  { path: '/admin/gallery', label: t`Photos` },
  { path: '/admin/people', label: t`People` },
  { path: '/admin/share', label: t`Share` },
  { path: '/admin/guests', label: t`Guests` },
  { path: '/admin/statistics', label: t`Statistics` },
  { path: '/admin/settings', label: t`Settings` },
];

/** The tab that a path belongs to: the trash is one of the lists of photos. */
export const tabPathOf = (pathname: string): string =>
  pathname === '/admin/trash' ? '/admin/gallery' : pathname;

/** What whoever contributes photos has of an event. */
export const contributorPaths: readonly EventScreenPath[] = [
  '/admin/gallery',
  '/admin/trash',
  '/admin/upload',
];
