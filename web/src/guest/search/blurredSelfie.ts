import { t } from '@lingui/core/macro';

/** Said with the result of a selfie that was blurred, though not too much to search with it. */
export const blurredSelfieText = (): string =>
  t`Your selfie is a little blurred, so photos of you may be missing. A sharper one finds more.`;
