import { t } from '@lingui/core/macro';

/** The name of a photo in the results, with that of its album; `position` counts from 1. */
export const photoName = (position: number, total: number, album: string | null = null): string =>
  album === null ? t`Photo ${position} of ${total}` : t`Photo ${position} of ${total}, ${album}`;
