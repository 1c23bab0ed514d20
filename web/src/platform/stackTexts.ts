import { plural, t } from '@lingui/core/macro';
import type { Stacked } from './stacks';

/** How many photos and moments there are, where some photos are alike. */
export function momentsText(photos: number, moments: number): string {
  const ofPhotos = plural(photos, { one: '# photo', other: '# photos' });
  const ofMoments = plural(moments, { one: '# moment', other: '# moments' });
  return t`${ofPhotos}, ${ofMoments}`;
}

/** What opens the photos that are like one, or closes them. */
export const stackText = ({ size, isOpen }: Stacked): string =>
  isOpen
    ? t`Show only the best`
    : plural(size - 1, { one: 'Show # more like this', other: 'Show # more like this' });

/** What shows all photos, also those that are like others. */
export const allPhotosText = (count: number): string => t`All ${count} photos`;
