import { readFileSync } from 'node:fs';
import { createEvent, signUp } from '../accounts';
import { expect, testWithTelling as test } from '../fixtures';
import { picture } from '../pictures';
import { startChromium } from './chromium';
import { button, type Engine, type EnginePage, heading, inDialog, labelled, type Wanted } from './engine';
import { startFirefox } from './firefox';
import { appears, disappears } from './seeing';
import { startWebKit } from './webkit';

test.use({ trace: 'off' });

const ENGINES = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

/** Expects a text somewhere on the page. */
const reads = (page: EnginePage, text: string) =>
  expect
    .poll(() => page.run((part) => document.body.innerText.includes(part), text), { message: text, timeout: 60_000 })
    .toBe(true);

/** Clicks what may still be on its way. */
async function click(page: EnginePage, wanted: Wanted): Promise<void> {
  await appears(page, wanted);
  await page.click(wanted);
}

/** Runs in the page: gives the sheet of guests' photos a file, as the chooser of files does. */
function addFile(base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const files = new DataTransfer();
  files.items.add(new File([bytes], 'dinner.jpg', { type: 'image/jpeg' }));
  const input = document.querySelector<HTMLInputElement>('dialog[open] input[type=file]');
  if (input === null) throw new Error('there is no input for files');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

for (const [name, start] of Object.entries(ENGINES))
  test(`in ${name} a guest leaves a selfie before there are photos, adds a photo, and looks for a missed one [FACE544]`, async ({
    server,
    playwright,
  }, testInfo) => {
    const request = await playwright.request.newContext();
    const photographer = await signUp(server, request, `evening-${name.toLowerCase()}@example.com`);
    const empty = await createEvent(server, request, photographer, 'Early', []);
    const event = await createEvent(server, request, photographer, 'Sangeet', ['obama2.jpg', 'biden.jpg']);
    const changed = await request.patch(`${server.url}/api/events/${event.id}`, {
      headers: { Authorization: `Bearer ${photographer.token}` },
      data: { takes_guest_photos: true, browsable: true },
    });
    expect(changed.status()).toBe(200);
    let engine: Engine | undefined;
    try {
      engine = await start();
      const { page } = engine;
      await test.step('before there are photos', async () => {
        await page.open(`${server.url}/event/${empty.slug}`);
        await reads(page, 'The photos are not here yet.');
        await page.choose(labelled('upload a photo'), picture('obama.jpg'));
        await appears(page, labelled('Your e-mail address'));
      });

      await test.step('a photo of their own', async () => {
        await page.open(`${server.url}/event/${event.slug}`);
        await click(page, button('Add your photos'));
        await appears(page, inDialog(heading('Add your photos')));
        await appears(page, inDialog(button('Choose photos')));
        await page.run(addFile, readFileSync(picture('obama3.jpg')).toString('base64'));
        await reads(page, 'Waiting');
        await click(page, inDialog(button('Close')));
        await disappears(page, inDialog(heading('Add your photos')));
      });

      await test.step('a photo that the search has not found', async () => {
        await page.choose(labelled('upload a photo'), picture('obama.jpg'));
        await reads(page, '1 from Sangeet');
        await click(page, button('Take New Photo'));
        await click(page, button('Browse all photos'));
        await click(page, button('Photo 2 of 2'));
        // The guest is not in it.
        await click(page, inDialog(button('More for photo 2')));
        await click(page, inDialog(button('I am missing in this one')));
        await reads(page, 'No face in this photo is like yours');
      });
    } catch (error) {
      if (engine) await testInfo.attach(`${name}.png`, { body: await engine.page.screenshot(), contentType: 'image/png' });
      throw error;
    } finally {
      await engine?.close();
      await request.dispose();
    }
  });
