import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../../platform/api/client';
import type { Watermark } from '../../../platform/api/types';
import type { Ground } from './studio';
import { letterWatermark } from './letterWatermark';

/** A watermark as it is entered: without a text it is one of the studio's logos. */
export interface NewWatermark {
  text: string;
  logo: Ground;
  position: Watermark['position'];
  opacity: number;
  onDownloads: boolean;
}

export const watermarkQuery = () =>
  queryOptions({
    queryKey: ['studio', 'watermark'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/studio/watermark', { signal }),
        t`The watermark could not be loaded. Please try again.`,
      ),
  });

/** Saves a watermark. A text goes with a picture of it: only the browser has the letters of all scripts. */
export async function saveWatermark({ text, logo, position, opacity, onDownloads }: NewWatermark) {
  const form = new FormData();
  form.append('text', text);
  form.append('logo', logo);
  form.append('position', position);
  form.append('opacity', String(opacity));
  form.append('on_downloads', String(onDownloads));
  if (text.trim() !== '') form.append('lettering', await letterWatermark(text.trim()), 'text.png');
  return unwrapResponse(
    api.PUT('/api/studio/watermark', { body: { position, opacity }, bodySerializer: () => form }),
    t`The watermark could not be saved. Please try again.`,
  );
}

export const removeWatermark = () =>
  unwrapResponse(api.DELETE('/api/studio/watermark'), t`The watermark could not be saved. Please try again.`);
