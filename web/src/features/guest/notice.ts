/** Names the wording of the notice below; it is sent with every search made after reading it. */
export const NOTICE_VERSION = '2026-11-20';

/** What a person is told before the camera opens. A change of the words is a change of the version. */
export const noticeText =
  'Your selfie is held in memory only and dropped with the answer, never stored. Its preview stays on this device until you close the tab.';
