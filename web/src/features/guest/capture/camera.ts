import { t } from '@lingui/core/macro';
import type { CameraFailure } from './cameraFailures';
import { jpegOf } from './selfies';

export type Facing = 'user' | 'environment';

export const captureFailedText = (): string =>
  t`Failed to capture image from webcam. Make sure webcam is enabled.`;

/** Shown while the browser asks for the permission, or opens the camera. */
export const permissionText = (): string => t`Please allow the camera when your browser asks.`;

/** Shown when neither the browser nor the guest answers: some in-app browsers never do. */
export const noAnswerText = (): string =>
  t`The camera has not been allowed yet. Allow it when your browser asks, or upload a photo instead.`;

/** Shown when the stream was opened but delivers no frame. */
export const noFramesText = (): string =>
  t`The camera gives no picture. Close other apps that use it, or upload a photo instead.`;

export function cameraFailureOf(error: unknown): CameraFailure {
  // WebKit's OverconstrainedError is no DOMException.
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotReadableError' || name === 'AbortError') return 'inUse';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'notFound' : 'unsupported';
}

export const openCamera = (facing: Facing): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1280 }, height: { ideal: 1280 } },
  });

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether the device has more than one camera. */
export async function hasMultipleCameras(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput').length > 1;
}

/** Captures the current frame; only the preview is mirrored. Throws with the message to show. */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext('2d');
  if (context === null || canvas.width === 0 || canvas.height === 0) throw new Error(captureFailedText());
  context.drawImage(video, 0, 0);
  const photo = await jpegOf(canvas);
  if (photo === null) throw new Error(captureFailedText());
  return photo;
}

const sampleSide = 24;

/** The mean brightness of the centre of the frame, from 0 to 255; null if there is no frame. */
export function brightnessOf(video: HTMLVideoElement): number | null {
  if (video.videoWidth === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = sampleSide;
  canvas.height = sampleSide;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  const { videoWidth: width, videoHeight: height } = video;
  context.drawImage(video, width / 4, height / 4, width / 2, height / 2, 0, 0, sampleSide, sampleSide);
  const { data } = context.getImageData(0, 0, sampleSide, sampleSide);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    sum += 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0);
  }
  return sum / (sampleSide * sampleSide);
}

/** A hint for the current brightness. */
export function lightingHint(brightness: number | null): string {
  if (brightness === null) return t`One moment.`;
  if (brightness < 45) return t`It is dark here. Turn towards a light.`;
  return brightness > 225
    ? t`Very bright. Turn away from the light.`
    : t`Good light. Put your face into the outline.`;
}
