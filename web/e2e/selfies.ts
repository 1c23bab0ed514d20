import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser } from '@playwright/test';
import { picture } from './pictures';

/** One JPEG with these people beside each other, each as large as the others. */
export async function sideBySide(browser: Browser, names: readonly string[]): Promise<Buffer> {
  const sources = names.map((name) => `data:image/jpeg;base64,${readFileSync(picture(name)).toString('base64')}`);
  const page = await browser.newPage();
  const jpeg = await page.evaluate(async (urls) => {
    const side = 700;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [side * urls.length, side];
    for (const [place, url] of urls.entries()) {
      const image = new Image();
      image.src = url;
      await image.decode();
      const scale = Math.min(side / image.width, side / image.height);
      canvas
        .getContext('2d')
        ?.drawImage(image, place * side, 0, image.width * scale, image.height * scale);
    }
    return canvas.toDataURL('image/jpeg', 0.92);
  }, sources);
  await page.close();
  return Buffer.from(jpeg.slice(jpeg.indexOf(',') + 1), 'base64');
}

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Writes a picture as HEIC, as phones do, by a program of the workspace. Returns the path. The program is taken as it lies there:
 * `cargo xtask test` makes it before, since Cargo would wait here until Rust's tests are compiled.
 */
export function writeHeic(from: string, to: string): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
  const program = join(target, 'debug/examples/heic');
  if (!existsSync(program))
    execFileSync('cargo', ['build', '--quiet', '--workspace', '--example', 'heic'], { cwd: ROOT });
  execFileSync(program, [from, to]);
  return to;
}
