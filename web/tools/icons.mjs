/**
 * Draws the icons of the installed app from the mark: a lens with the sun half below the horizon.
 *
 *   node tools/icons.mjs      (writes web/public/icon-*.png, apple-touch-icon.png and favicon.ico; needs Debian's chromium)
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const publicFolder = join(import.meta.dirname, '../public');

/** `share` is how much of the picture's width the lens takes: a mask may cut all but the middle. */
const icons = [
  { file: 'icon-192.png', side: 192, share: 0.66 },
  { file: 'icon-512.png', side: 512, share: 0.66 },
  { file: 'icon-maskable-512.png', side: 512, share: 0.5 },
  { file: 'apple-touch-icon.png', side: 180, share: 0.62 },
];

function drawing(side, share) {
  const lens = side * share;
  const edge = (side - lens) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    <rect width="100%" height="100%" fill="#0E0E0E"/>
    <svg x="${edge}" y="${edge}" width="${lens}" height="${lens}" viewBox="1.5 1.5 21 21">
      <path d="M2.6 13.5a9.5 9.5 0 0 0 18.8 0z" fill="#FF7F47"/>
      <circle cx="12" cy="12" r="9.5" fill="none" stroke="#F3F3F1" stroke-width="2"/>
    </svg>
  </svg>`;
}

/** An ICO file that holds one PNG, for what asks for /favicon.ico without looking for links. */
function asIco(png, side) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one picture
  header.writeUInt8(side, 6);
  header.writeUInt8(side, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const page = await browser.newPage();
async function draw(side, share) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing(side, share)}`);
  return page.screenshot();
}
for (const { file, side, share } of icons) writeFileSync(join(publicFolder, file), await draw(side, share));
writeFileSync(join(publicFolder, 'favicon.ico'), asIco(await draw(48, 0.84), 48));
await browser.close();
