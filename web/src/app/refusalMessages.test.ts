import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { refusalMessages } from './refusalMessages';

it('has the English texts of the server for the refusals of the public forms [LANG011]', () => {
  const server = readFileSync(resolve(import.meta.dirname, '../../../crates/domain/src/refusal.rs'), 'utf8');
  for (const { id = '', message = '' } of refusalMessages) {
    expect(server).toContain(`"${id.replace('refusal.', '')}", "${message}";`);
  }
});
