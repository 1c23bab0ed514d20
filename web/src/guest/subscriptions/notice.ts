import { t } from '@lingui/core/macro';
import { siteName } from '../../platform/siteName';

/** The version of the notice below; it is stored with the guest's consent. */
export const TELLING_NOTICE_VERSION = '2026-11-29';

/** What the guest agrees to. A changed text needs a new version. */
export const tellingNotice = (): string =>
  t`I agree that ${siteName} stores my e-mail address and an encrypted description of my face, to find me in new photos of this event and write to me. Both are deleted when I end it by the link in each mail, with the event, and after a year at the latest.`;
