import type { MessageDescriptor } from '@lingui/core';
import { defineMessage } from '@lingui/core/macro';

/**
 * The refusals that a guest can meet on the page, for translation. No code imports these: the server sends the English texts, and
 * `refusalText` finds a translation by the code.
 */
export const refusalMessages: readonly MessageDescriptor[] = [
  defineMessage({ id: 'refusal.event_not_found', message: 'Event not found' }),
  defineMessage({
    id: 'refusal.event_pin_required',
    message: 'Please enter the PIN of this event first.',
  }),
  defineMessage({
    id: 'refusal.not_an_image',
    message: 'The file is not an image we can read (PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC)',
  }),
  defineMessage({
    id: 'refusal.image_truncated',
    message: 'The image is incomplete: the end of the file is missing',
  }),
  defineMessage({ id: 'refusal.image_damaged', message: 'The image is damaged and cannot be read' }),
  defineMessage({ id: 'refusal.image_too_complex', message: 'The image is too complex to read safely' }),
  defineMessage({ id: 'refusal.photo_not_found', message: 'Photo not found' }),
  defineMessage({ id: 'refusal.photo_not_ready', message: 'This photo has not been processed yet' }),
  defineMessage({ id: 'refusal.file_not_found', message: 'File not found' }),
  defineMessage({
    id: 'refusal.download_not_found',
    message: 'This download is no longer available. Please search again.',
  }),
  defineMessage({
    id: 'refusal.results_expired',
    message: 'This link has expired. Take a new selfie to find your photos again.',
  }),
  defineMessage({ id: 'refusal.selfie_too_large', message: 'The photo is larger than 20 MB' }),
  defineMessage({
    id: 'refusal.selfie_too_many_pixels',
    message: 'The photo has too many pixels. Please choose a smaller one, or a screenshot of it.',
  }),
  defineMessage({
    id: 'refusal.no_face',
    message: 'No face found in the photo. Please face the camera in good light and try again.',
  }),
  defineMessage({
    id: 'refusal.face_too_small',
    message: 'The face is too small. Please come closer to the camera and try again.',
  }),
  defineMessage({
    id: 'refusal.too_blurry',
    message: 'The photo is too blurry. Please hold the camera still and try again.',
  }),
  defineMessage({
    id: 'refusal.too_dark',
    message: 'The photo is too dark. Please find more light and try again.',
  }),
  defineMessage({ id: 'refusal.body_too_large', message: 'The request is too large' }),
  defineMessage({
    id: 'refusal.busy',
    message: 'The service is busy. Please try again in a moment.',
  }),
  defineMessage({
    id: 'refusal.too_many_requests',
    message: 'Too many requests. Please try again in {wait}.',
  }),
];
