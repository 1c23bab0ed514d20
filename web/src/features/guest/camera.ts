import { jpegOf } from './selfies';

export type Facing = 'user' | 'environment';

/** Why there is no camera picture: `missing` in a browser that lends none, `absent` on a device that has none. */
export type CameraFailure = 'refused' | 'missing' | 'absent' | 'busy' | 'unloaded';

export const captureFailedText = 'Failed to capture image from webcam. Make sure webcam is enabled.';

/** Said when the camera was lent and no frame comes from it. */
export const noFramesText =
  'The camera gives no picture. Close other apps that use it, or upload a photo instead.';

const ownCamera = 'take the photo with your phone’s own camera';

/** What a person can do about it. */
export const cameraHelp: Record<CameraFailure, string> = {
  refused: `The camera is switched off for this page. Allow it in the browser’s settings, or ${ownCamera}.`,
  missing: `This browser does not lend its camera to pages. Open the link in another browser, or ${ownCamera}.`,
  absent: `No camera was found here. Choose a photo of yourself, or open the link on your phone and ${ownCamera}.`,
  busy: `Another app is using the camera. Close it, or ${ownCamera}.`,
  unloaded: `The camera could not be loaded over this connection. Load the page again, or ${ownCamera}.`,
};

/** In-app browsers and pages without https have no camera to ask for. */
export const hasCamera = (): boolean => 'mediaDevices' in navigator;

export function cameraFailureOf(error: unknown): CameraFailure {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'absent' : 'missing';
}

export const openCamera = (facing: Facing): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: 1280 }, height: { ideal: 1280 } },
  });

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether there is a second camera to flip to. */
export async function canFlip(): Promise<boolean> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput').length > 1;
}

/** The frame as the camera sees it: the mirror is the preview's alone. Throws with the text to show. */
export async function capture(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext('2d');
  if (context === null || canvas.width === 0 || canvas.height === 0) throw new Error(captureFailedText);
  context.drawImage(video, 0, 0);
  const photo = await jpegOf(canvas);
  if (photo === null) throw new Error(captureFailedText);
  return photo;
}

const sampleSide = 24;

/** The mean brightness of the frame's middle, from 0 to 255; null while there is no frame. */
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

/** One line of advice for the light that there is. */
export function adviceFor(brightness: number | null): string {
  if (brightness === null) return 'One moment.';
  if (brightness < 45) return 'It is dark here. Turn towards a light.';
  return brightness > 225 ? 'Very bright. Turn away from the light.' : 'Good light. Hold still.';
}
