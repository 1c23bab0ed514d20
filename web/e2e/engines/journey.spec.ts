import { readFileSync, writeFileSync } from 'node:fs';
import { type Event } from '../accounts';
import { isGuestCopy, picture, placeOfCopy } from '../pictures';
import { sideBySide, writeHeic } from '../selfies';
import { entriesOf } from '../zips';
import { keepCameraWaiting, refuseCamera, showToCamera } from './cameras';
import { startChromium } from './chromium';
import { button, type Engine, type EnginePage, heading, inDialog, labelled } from './engine';
import { startFirefox } from './firefox';
import { expect, FOUND, SELFIE, test } from './fixtures';
import { appears, disappears, fillsWindow, isReadable } from './seeing';
import { startWebKit } from './webkit';

// Traces exist in Chromium alone; each engine's failure has a screenshot.
test.use({ trace: 'off' });

const ENGINES = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };
const originals = FOUND.map((name) => readFileSync(picture(name)));

for (const [name, start] of Object.entries(ENGINES)) {
  test.describe(`the guest's journey in ${name}`, () => {
    // None where it did not start.
    let engine: Engine | undefined;
    let page: EnginePage;

    test.beforeAll(async () => {
      engine = await start();
      page = engine.page;
    });

    test.beforeEach(async ({ server, event }) => {
      await page.open(`${server.url}/event/${event.slug}`);
      await appears(page, heading('Find Your Photos'));
    });

    test.afterEach(async ({}, testInfo) => {
      if (testInfo.status === testInfo.expectedStatus) return;
      await testInfo.attach(`${name}.png`, { body: await page.screenshot(), contentType: 'image/png' });
    });

    test.afterAll(() => engine?.close());

    test('a selfie by the camera, the photos of it, and their files', async ({ event }) => {
      await test.step('take a selfie [FACE005]', async () => {
        await showToCamera(page, picture(SELFIE));
        await page.click(button('Open camera'));
        await appears(page, button('Close camera'));
        await goBack(page);
        await disappears(page, button('Close camera'));
        await page.click(button('Open camera'));
        await expect.poll(() => page.run(shutterIsReady, null), { message: 'the shutter is ready' }).toBe(true);
        await page.click(button('Take Photo'));
        await photosAreFound(page, event);
      });

      await test.step('look at them', async () => {
        // The page scrolls to its results half a second after they came.
        await new Promise((done) => setTimeout(done, 700));
        await page.click(button('Photo 1 of 2'));
        await fillsWindow(page, 'Photo 1 of 2');
        await page.press('ArrowRight');
        await fillsWindow(page, 'Photo 2 of 2');
        await appears(page, inDialog(button('Download photo 2')));
        await page.press('Escape');
        await disappears(page, inDialog(button('Download photo 2')));
        await page.click(button('Photo 1 of 2'));
        await appears(page, inDialog(button('Download photo 1')));
        await goBack(page);
        await disappears(page, inDialog(button('Download photo 1')));
        await appears(page, heading('Your Matched Photos'));
      });

      const first = await test.step('save one [DOWN013]', async () => {
        const { name: file, bytes } = await page.save(button('Download photo 1'));
        expect(file).toMatch(/\.jpg$/);
        expect(originals.some((original) => isGuestCopy(bytes, original)), 'a copy of an original').toBe(true);
        await isReadable(page, /^Photo downloaded successfully!$/);
        return bytes;
      });

      await test.step('save all as one ZIP [DOWN026] [DOWN035]', async () => {
        const { bytes: zip } = await page.save(button('Download all as one ZIP'));
        expect(entriesOf(zip)).toEqual(['photo-1.jpg', 'photo-2.jpg']);
        // Stored, not compressed: the bytes of an original are those of its entry.
        const places = originals.map((original) => placeOfCopy(zip, original)).sort((one, other) => one - other);
        expect(places[0], 'every original is in it').toBeGreaterThan(0);
        expect(zip.indexOf(first), 'best first').toBe(places[0]);
        await isReadable(page, /^One ZIP with all 2 photos is downloading, /);
      });

      await test.step('save what is chosen [DOWN084]', async () => {
        await page.click(button('Choose photos'));
        await page.click(button('Photo 2 of 2'));
        const { bytes: zip } = await page.save(button('Download 1 as one ZIP'));
        expect(entriesOf(zip)).toEqual(['photo-1.jpg']);
        await page.click(button('Choose all'));
      });

      await test.step('save the web size [DOWN089]', async () => {
        await page.click(button('Photo 1 of 2'));
        await appears(page, inDialog(button('More for photo 1')));
        await page.click(inDialog(button('More for photo 1')));
        await expect.poll(() => page.run(webSizeName, null), { message: 'the web size is offered' }).not.toBeNull();
        const { name: file, bytes } = await page.save(inDialog(button((await page.run(webSizeName, null)) ?? '')));
        expect(file).toMatch(/-web\.jpg$/);
        expect(bytes.subarray(0, 3).toString('hex'), 'a JPEG').toBe('ffd8ff');
        await page.press('Escape');
        await disappears(page, inDialog(button('Download photo 1')));
      });

      await test.step('read it in another language, and go on', async () => {
        await page.run(chooseLanguage, 'de');
        await appears(page, heading('Ihre gefundenen Fotos'));
        await appears(page, button('Foto 2 von 2'));
        await page.run(chooseLanguage, 'en');
        await appears(page, heading('Your Matched Photos'));
        await appears(page, button('Photo 2 of 2'));
      });

      await test.step('leave the results, not the event', async () => {
        await goBack(page);
        await appears(page, heading('Find Your Photos'));
        await appears(page, button('Open camera'));
      });
    });

    test('a refused camera gives way to a file [FACE073] [FACE074]', async ({ event }) => {
      await refuseCamera(page);
      await page.click(button('Open camera'));
      await isReadable(page, /^The camera is switched off for this page\. Allow it in the browser’s settings, /);
      await page.choose(labelled('Choose a photo'), picture(SELFIE));
      await photosAreFound(page, event);
    });

    test('a selfie that the browser cannot show has the server’s preview [FACE122]', async ({ event }, testInfo) => {
      const heic = writeHeic(picture(SELFIE), testInfo.outputPath('selfie.heic'));
      await page.choose(labelled('upload a photo'), heic);
      await photosAreFound(page, event);
      await expect.poll(() => page.run(widthOfSelfie, null), { message: 'the selfie is drawn' }).toBeGreaterThan(100);
      // Not at once: the page would be gone before it has answered.
      await page.run(() => void setTimeout(() => window.location.reload(), 100), null);
      await new Promise((done) => setTimeout(done, 1500));
      await photosAreFound(page, event);
      await expect.poll(() => page.run(widthOfSelfie, null), { message: 'it is kept' }).toBeGreaterThan(100);
    });

    test('of several faces in a picture one is chosen', async ({ event, browser }, testInfo) => {
      const twoPeople = testInfo.outputPath('two-people.jpg');
      writeFileSync(twoPeople, await sideBySide(browser, [SELFIE, 'biden.jpg']));
      await page.choose(labelled('upload a photo'), twoPeople);
      await appears(page, heading('Which one is you?'));
      await page.click(button('Find me'));
      await isReadable(page, new RegExp(`^\\d from ${event.name}$`));
    });

    test('where there is no camera the page says so [FACE073] [FACE074]', async () => {
      await page.click(button('Open camera'));
      await isReadable(page, /^No camera was found here\. Choose a photo of yourself, /);
    });

    test('a question for the camera that nobody answers can be left', async () => {
      await keepCameraWaiting(page);
      await page.click(button('Open camera'));
      await isReadable(page, /^Please allow the camera when your browser asks\.$/);
      expect(await page.run(shutterIsReady, null)).toBe(false);
      await page.click(button('Close camera'));
      await disappears(page, button('Close camera'));
      await appears(page, button('Open camera'));
    });
  });
}

async function photosAreFound(page: EnginePage, event: Event): Promise<void> {
  await isReadable(page, new RegExp(`^2 from ${event.name}$`));
  await appears(page, heading('Your Matched Photos'));
  await appears(page, button('Photo 2 of 2'));
}

/** The browser's own button; Firefox's driver waits in vain for a page to load when it goes back itself. */
const goBack = (page: EnginePage) => page.run(() => window.history.back(), null);

/** Runs in the page: the name of the button that saves the web size; null if it is not there. */
const webSizeName = () =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('Web size'))?.textContent ??
  null;

/** Runs in the page: the pixels across of the selfie's picture; 0 where a placeholder stands for it. */
const widthOfSelfie = () =>
  [...document.images].find(({ alt, src }) => alt === 'Your selfie' && src.startsWith('data:image/jpeg'))
    ?.naturalWidth ?? 0;

/** Runs in the page, in place of the browser's own list. */
function chooseLanguage(tag: string): void {
  const list = document.querySelector('select');
  if (list === null) throw new Error('the page has no list of languages');
  list.value = tag;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Runs in the page. */
const shutterIsReady = () =>
  [...document.querySelectorAll('button')].some(
    ({ disabled, textContent }) => textContent === 'Take Photo' && !disabled,
  );
