import { t } from '@lingui/core/macro';
import type { Event } from '../../../../platform/api/types';

type Access = Pick<Event, 'asks_pin' | 'browsable' | 'downloads'>;

/** What guests see, in as few words as the header has room for. */
export function guestViewText({ asks_pin, browsable }: Access): string {
  if (browsable) return asks_pin ? t`Guests: all photos, PIN` : t`Guests: all photos`;
  return asks_pin ? t`Guests: own photos, PIN` : t`Guests: own photos`;
}

/** What guests may do, in one line. */
export function guestAccessText({ asks_pin, browsable, downloads }: Access): string {
  const saving = {
    original: t`originals`,
    web: t`web size`,
    none: t`no downloads`,
  }[downloads];
  return [asks_pin ? t`PIN` : t`no PIN`, saving, browsable ? t`all photos to browse` : t`no browsing`].join(
    ', ',
  );
}
