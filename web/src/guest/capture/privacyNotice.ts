import { t } from '@lingui/core/macro';

/** The version of the notice below; it is sent with every search. */
export const NOTICE_VERSION = '2026-11-20';

/** Shown before the camera opens. A changed text needs a new version. */
export const privacyNoticeText = (): string =>
  t`Your selfie is held in memory only and dropped with the answer, never stored. Its preview stays on this device until you close the tab.`;
