import { t } from '@lingui/core/macro';

/** The same as on the server. */
export const maxReasonLength = 500;

export const reasonError = (reason: string): string | undefined =>
  reason.trim() === '' ? t`Please give a reason` : undefined;
