import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Browser } from '@playwright/test';
import { type Picture } from '../accounts';

const FOLDER = resolve(import.meta.dirname, '../../src/ui/illustrations');

/** The product's drawn illustrations as JPEG photos, some of them upright: a gallery without real people in it. */
export async function renderIllustrations(browser: Browser): Promise<Picture[]> {
  const page = await browser.newPage();
  const pictures: Picture[] = [];
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.svg') && file !== 'code.svg');
  for (const [index, file] of files.sort().entries()) {
    const svg = readFileSync(join(FOLDER, file)).toString('base64');
    const upright = index % 4 === 1;
    const jpeg = await page.evaluate(
      async ({ source, width, height }) => {
        const image = new Image();
        image.src = `data:image/svg+xml;base64,${source}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [width, height];
        const scale = Math.max(width / image.width, height / image.height);
        const [w, h] = [image.width * scale, image.height * scale];
        canvas.getContext('2d')?.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
        return canvas.toDataURL('image/jpeg', 0.9);
      },
      { source: svg, width: upright ? 1000 : 1500, height: upright ? 1400 : 1000 },
    );
    const bytes = Buffer.from(jpeg.slice(jpeg.indexOf(',') + 1), 'base64');
    pictures.push({ name: `${basename(file, '.svg')}.jpg`, bytes });
  }
  await page.close();
  return pictures;
}
