import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('the generated types match openapi.json [RUN055]', () => {
  const generator = at('../../../node_modules/openapi-typescript/bin/cli.js');
  const generated = execFileSync(process.execPath, [generator, at('../../../../openapi.json')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(generated === readFileSync(at('./schema.gen.ts'), 'utf8'), 'npm run generate updates it').toBe(true);
});
