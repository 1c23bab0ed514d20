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
    showInCamera: (shown: Shown) => Promise<void>;
  }
}

/** Gives the page a camera that shows what it is told to, for nobody turns their head before Chromium's own. */
export async function addTurningCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [960, 960];
    const context = canvas.getContext('2d');
    const image = new Image();
    let [scale, wider, frame] = [1, 1, 0];
    const draw = () => {
      context?.setTransform(scale, 0, 0, 1, scale < 0 ? canvas.width : 0, 0);
      const fit = Math.min(canvas.width / image.width, canvas.height / image.height);
      const [width, height] = [image.width * fit * wider, image.height * fit];
      if (image.width > 0)
        context?.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
      // A stream of a canvas has a frame for each change.
      frame = (frame + 1) % 256;
      if (context !== null) context.fillStyle = `rgb(${frame} 0 0)`;
      context?.fillRect(0, 0, 2, 2);
    };
    setInterval(draw, 50);
    window.showInCamera = async (shown) => {
      image.src = shown.url;
      await image.decode();
      [scale, wider] = [shown.flipped ? -1 : 1, shown.wider];
    };
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(20));
  });
}

/** Shows a picture in that camera, until the next one. */
export async function showInCamera(page: Page, name: string, { flipped = false, wider = 1 } = {}): Promise<void> {
  const url = `data:image/jpeg;base64,${readFileSync(picture(name)).toString('base64')}`;
  await page.evaluate((shown) => window.showInCamera(shown), { url, flipped, wider });
}
