import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { picture } from './pictures';

/** What the camera of a page shows. */
interface Shown {
  url: string;
  /** As in a mirror: who looks to the left looks to the right. */
  flipped: boolean;
  /** By how much it is drawn wider. That turns a head further, for the server measures a turn across the height of the face. */
  wider: number;
}

declare global {
  interface Window {
    showInCamera: (shown: Shown) => Promise<number>;
  }
}

/** Side in pixels of the corner whose blue says which picture is shown. */
const markSide = 16;

/** Gives the page a camera that shows what it is told to, for nobody turns their head before Chromium's own. */
export async function addTurningCamera(page: Page): Promise<void> {
  await page.addInitScript((side) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [960, 960];
    const context = canvas.getContext('2d');
    let [image, scale, wider, mark, frame] = [new Image(), 1, 1, 0, 0];
    const draw = () => {
      if (context === null) return;
      context.setTransform(scale, 0, 0, 1, scale < 0 ? canvas.width : 0, 0);
      const fit = Math.min(canvas.width / image.width, canvas.height / image.height);
      const [width, height] = [image.width * fit * wider, image.height * fit];
      if (image.width > 0)
        context.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
      // A stream of a canvas has a frame for each change.
      frame = (frame + 1) % 256;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = `rgb(${frame} 0 ${mark})`;
      context.fillRect(0, 0, side, side);
    };
    setInterval(draw, 50);
    window.showInCamera = async (shown) => {
      const next = new Image();
      next.src = shown.url;
      await next.decode();
      [image, scale, wider, mark] = [next, shown.flipped ? -1 : 1, shown.wider, mark === 250 ? 125 : 250];
      return mark;
    };
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(20));
  }, markSide);
}

/**
 * Shows a picture in that camera, until the next one. Returns once the page's video has it: one press of the shutter takes the
 * sharpest of several frames, which on a slow machine was one of the picture before.
 */
export async function showInCamera(page: Page, name: string, { flipped = false, wider = 1 } = {}): Promise<void> {
  const url = `data:image/jpeg;base64,${readFileSync(picture(name)).toString('base64')}`;
  const mark = await page.evaluate((shown) => window.showInCamera(shown), { url, flipped, wider });
  await page.waitForFunction(
    ([wanted, side]) => {
      const video = document.querySelector('video');
      if (video === null || video.videoWidth === 0) return false;
      const corner = new OffscreenCanvas(1, 1).getContext('2d');
      corner?.drawImage(video, side / 4, side / 4, side / 2, side / 2, 0, 0, 1, 1);
      return Math.abs((corner?.getImageData(0, 0, 1, 1).data[2] ?? 0) - wanted) < 50;
    },
    [mark, markSide] as const,
  );
}
