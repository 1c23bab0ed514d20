import { plural } from '@lingui/core/macro';

export const newPhotosText = (count: number): string =>
  plural(count, { one: '# new photo of you.', other: '# new photos of you.' });
