import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Rules that place something by a side of the screen, and not in its middle or at both sides. */
function sidedRules(css: string): string[] {
  return css.split('}').filter((rule) => {
    const sides = [...rule.matchAll(/(?<![-\w])(left|right):\s*([^;]+);/g)];
    return sides.length === 1 && sides[0]?.[2] !== '50%';
  });
}

// Where writing runs from right to left, a corner that is named by a side is that of something else.
it('styles of the page of guests place things by the direction of writing', () => {
  const files = ['src/guest', 'src/app/guest', 'src/ui'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.css'))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) expect(sidedRules(readFileSync(file, 'utf8')), file).toEqual([]);
});
