import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { launch } from './chromium';
import { picture } from './pictures';

/**
 * A file for Chromium's fake camera that shows one picture, whole, in the frame of a camera.
 *
 * A motion JPEG is JPEG files one after the other, but the fake camera shows none with an odd side: so the frame is
 * drawn anew.
 */
export async function cameraFile(name: string): Promise<string> {
  const source = `data:image/jpeg;base64,${readFileSync(picture(name)).toString('base64')}`;
  const browser = await chromium.launch(launch());
  const page = await browser.newPage();
  const frame = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1280, 960];
    const scale = Math.min(canvas.width / image.width, canvas.height / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const [left, top] = [(canvas.width - width) / 2, (canvas.height - height) / 2];
    canvas.getContext('2d')?.drawImage(image, left, top, width, height);
    return canvas.toDataURL('image/jpeg', 0.95);
  }, source);
  await browser.close();

  const path = join(mkdtempSync(join(tmpdir(), 'afterglow-camera-')), 'camera.mjpeg');
  writeFileSync(path, Buffer.from(frame.slice(frame.indexOf(',') + 1), 'base64'));
  return path;
}
