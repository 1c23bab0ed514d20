import { t } from '@lingui/core/macro';
import { siteName } from '../../platform/siteName';

/** The version of the texts below; it is stored with what the guest asks for. A changed text needs a new version. */
export const REMOVAL_NOTICE_VERSION = '2026-11-29';

export const hideConsentText = (): string =>
  t`These are photos of me. ${siteName} may note where I am in them, and the photographer is told.`;

export const stopFindingConsentText = (): string =>
  t`I agree that an encrypted description of my face is kept until the event ends, only to leave my face out of new photos. The photographer is told.`;
