import { t } from '@lingui/core/macro';

/** The version of the notice below. */
export const KEEPING_NOTICE_VERSION = '2026-11-29';

/** What the guest agrees to. A changed text needs a new version. */
export const keepingNotice = (): string =>
  t`I agree that this browser keeps an encrypted description of my face, to find my photos of this event without another selfie. Only this event can read it. It is of no use once the event ends, and gone with ‘Forget me here’.`;
