import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { picture } from './pictures';

/** What the camera of a page shows. */
interface Shown {
  url: string;
  /** As in a mirror: who looks to the left looks to the right. */
  flipped: boolean;
  /** Where in its width the tip of the nose is, for a head that is to be turned further to the left of the picture. */
  nose: number | null;
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
    let [image, nose, mark, frame]: [HTMLImageElement, number | null, number, number] = [new Image(), null, 0, 0];
    let flipped = false;
    const draw = () => {
      if (context === null || image.width === 0) return;
      context.setTransform(flipped ? -1 : 1, 0, 0, 1, flipped ? canvas.width : 0, 0);
      const fit = Math.min(canvas.width / image.width, canvas.height / image.height);
      const [cut, height] = [image.width * (nose ?? 0.5), image.height * fit];
      // What lies before the nose is foreshortened by a turn, and what lies behind it is seen at full width.
      const [before, behind] = nose === null ? [1, 1] : [0.9, 1.5];
      const widths = [cut * fit * before, (image.width - cut) * fit * behind] as const;
      const [left, top] = [(canvas.width - widths[0] - widths[1]) / 2, (canvas.height - height) / 2];
      context.drawImage(image, 0, 0, cut, image.height, left, top, widths[0], height);
      context.drawImage(image, cut, 0, image.width - cut, image.height, left + widths[0], top, widths[1], height);
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
      [image, flipped, nose, mark] = [next, shown.flipped, shown.nose, mark === 250 ? 125 : 250];
      return mark;
    };
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(20));
  }, markSide);
}

/**
 * Shows a picture in that camera, until the next one. Returns once the page's video has it: one press of the shutter takes the
 * sharpest of several frames, which on a slow machine was one of the picture before.
 */
export async function showInCamera(page: Page, name: string, shown: Partial<Omit<Shown, 'url'>> = {}): Promise<void> {
  const url = `data:image/jpeg;base64,${readFileSync(picture(name)).toString('base64')}`;
  const mark = await page.evaluate((all) => window.showInCamera(all), { url, flipped: false, nose: null, ...shown });
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
