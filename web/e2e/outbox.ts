import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** How often to look for what all tests wait for; Playwright looks each second after the first ones. */
export const OFTEN = [100];

/** Waits for a mail to `address` with a link to `path`, and answers the newest such link. */
export async function mailedLink(
  outbox: string,
  address: string,
  path: string,
  timeout = 20_000,
): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(() => (link = newestLink(outbox, address, path)), {
      message: `a mail to ${address} with ${path}`,
      timeout,
      intervals: OFTEN,
    })
    .toBeDefined();
  return link ?? '';
}

function newestLink(outbox: string, address: string, path: string): string | undefined {
  if (!existsSync(outbox)) return undefined;
  const mails = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  // Names start with the time.
  for (const name of mails.sort().reverse()) {
    const mail = readFileSync(join(outbox, name), 'utf8');
    const isTo = mail.split(/\r?\n/).some((line) => /^To:/i.test(line) && line.includes(address));
    const link = new RegExp(`https?://[^\\s"<>]*${path}[^\\s"<>]*`).exec(decoded(mail))?.[0];
    if (isTo && link !== undefined) return link;
  }
  return undefined;
}

/** Quoted-printable (RFC 2045): soft line breaks joined, `=3D` and the like read. */
function decoded(mail: string): string {
  const joined = mail.replaceAll(/=\r?\n/g, '');
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
