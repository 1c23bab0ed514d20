import { t } from '@lingui/core/macro';

/** The name of a photo in the results; `position` counts from 1. */
export const photoName = (position: number, total: number): string => t`Photo ${position} of ${total}`;
