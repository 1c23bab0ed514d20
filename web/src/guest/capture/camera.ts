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

/** Frames of one press of the shutter. */
export const mostFrames = 5;
/** Milliseconds between two of them, at least: long enough for a hand or a head to have come to rest. */
const framePause = 60;
/** Milliseconds in which a frame has to come after that: a stream that has ended brings none. */
const frameTimeout = 200;
/** Side in pixels of the middle of a frame that is compared. */
const comparedSide = 320;

/** Fine detail: the mean square of the Laplacian of the green channel. It compares pictures of one scene. */
export function detailOf({ data, width, height }: ImageData): number {
  const at = (column: number, row: number) => data[4 * (row * width + column) + 1] ?? 0;
  let sum = 0;
  for (let row = 1; row < height - 1; row += 1) {
    for (let column = 1; column < width - 1; column += 1) {
      const around = at(column - 1, row) + at(column + 1, row) + at(column, row - 1) + at(column, row + 1);
      sum += (around - 4 * at(column, row)) ** 2;
    }
  }
  return sum / (width * height);
}

function contextOf(width: number, height: number, options?: CanvasRenderingContext2DSettings) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', options);
  if (context === null || width === 0 || height === 0) throw new Error(captureFailedText());
  return context;
}

/** Whether another frame has come. */
async function nextFrame(video: HTMLVideoElement): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, framePause));
  // Firefox before 132 shows the frame that is due.
  if (!('requestVideoFrameCallback' in video)) return true;
  return new Promise((resolve) => {
    const callback = video.requestVideoFrameCallback(() => {
      clearTimeout(timer);
      resolve(true);
    });
    const timer = setTimeout(() => {
      video.cancelVideoFrameCallback(callback);
      resolve(false);
    }, frameTimeout);
  });
}

/**
 * Captures the sharpest of a few frames: a hand moves most when it presses the button, and a photo of a face that moved
 * finds fewer photos. Only the preview is mirrored. Throws with the message to show.
 */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth: width, videoHeight: height } = video;
  const frame = contextOf(width, height);
  const side = Math.min(width, height, comparedSide);
  const middle = contextOf(side, side, { willReadFrequently: true });
  let mostDetail = -1;
  for (let taken = 0; taken < mostFrames; taken += 1) {
    // The stream may end, or turn with the phone.
    if (taken > 0 && (!(await nextFrame(video)) || video.videoWidth !== width)) break;
    middle.drawImage(video, (side - width) / 2, (side - height) / 2);
    const detail = detailOf(middle.getImageData(0, 0, side, side));
    if (detail > mostDetail) {
      mostDetail = detail;
      frame.drawImage(video, 0, 0);
    }
  }
  const photo = await jpegOf(frame.canvas);
  if (photo === null) throw new Error(captureFailedText());
  return photo;
}

const sampleSide = 24;

/** The mean brightness of the centre of a picture, from 0 to 255; null if it cannot be drawn. */
function brightnessIn(picture: CanvasImageSource, width: number, height: number): number | null {
  if (width === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = sampleSide;
  canvas.height = sampleSide;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.drawImage(picture, width / 4, height / 4, width / 2, height / 2, 0, 0, sampleSide, sampleSide);
  const { data } = context.getImageData(0, 0, sampleSide, sampleSide);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    sum += 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0);
  }
  return sum / (sampleSide * sampleSide);
}

/** That of the frame of the camera; null if there is none. */
export const brightnessOf = (video: HTMLVideoElement): number | null =>
  brightnessIn(video, video.videoWidth, video.videoHeight);

/** That of a picture that was taken; null if the browser cannot show it. */
export async function brightnessOfPicture(url: string): Promise<number | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return brightnessIn(image, image.naturalWidth, image.naturalHeight);
}

const darkest = 45;
const brightest = 225;

/** What is wrong with the light of a picture, and what helps; null if nothing is, or it is not known. */
export function lightProblem(brightness: number | null): string | null {
  if (brightness === null) return null;
  if (brightness < darkest) return t`It is dark here. Turn towards a light.`;
  return brightness > brightest ? t`Very bright. Turn away from the light.` : null;
}

/** A hint for the current brightness. */
export function lightingHint(brightness: number | null): string {
  if (brightness === null) return t`One moment.`;
  return lightProblem(brightness) ?? t`Good light. Put your face into the outline.`;
}
