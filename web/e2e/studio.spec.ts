import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, PASSWORD, type Photographer, signUp } from './accounts';
import { swipe } from './touch';
import { expect, test } from './fixtures';
import { mailedLink } from './outbox';
import { emptyPicture } from './pictures';
import { filesOf } from './zips';

const QR_READER = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');
const EMAIL = 'studio@example.com';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, EMAIL);
  const pictures = [1, 2, 3, 4].map((seed) => ({ name: `DSC_${seed}.png`, bytes: emptyPicture(seed, 320) }));
  event = await createEvent(server, request, photographer, 'Sangeet', pictures);
  await request.dispose();
});

test.beforeEach(async ({ page }) => logIn(page, photographer, event));

test('the QR code that is saved leads to the event [EVT041] [EVT044] [EVT045] [EVT046] [EVT047]', async ({ page }) => {
  await page.goto('/admin/events');
  const card = page.getByRole('article', { name: 'Sangeet' });
  const url = await card.getByLabel('Event URL of Sangeet').inputValue();
  await card.getByRole('button', { name: 'QR Code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sangeet' });
  await expect(dialog.getByRole('img', { name: 'QR code of the event URL' })).toHaveJSProperty('naturalWidth', 300);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download QR code' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe(`qr-code-${event.slug}.png`);

  const code = await readCode(page, readFileSync(await file.path()));
  expect(code).toEqual({ text: url, side: 1200, margin: 2 });
  expect(new URL(url).pathname).toBe(`/event/${event.slug}`);
});

test('the code as SVG and the poster lead to the event', async ({ page }) => {
  await page.goto('/admin/events');
  const card = page.getByRole('article', { name: 'Sangeet' });
  const url = await card.getByLabel('Event URL of Sangeet').inputValue();
  await card.getByRole('button', { name: 'QR Code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sangeet' });
  const save = async (button: string) => {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click();
    const file = await saving;
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const svg = await save('As SVG, for a printer’s own layout');
  expect(svg.name).toBe(`qr-code-${event.slug}.svg`);
  expect(await readCode(page, svg.bytes, 'svg+xml')).toMatchObject({ text: url, margin: 4 });

  await dialog.getByRole('combobox', { name: 'Language of the print' }).selectOption('தமிழ்');
  const poster = await save('Poster, A4 (PDF)');
  expect(poster.name).toBe(`poster-${event.slug}.pdf`);
  const text = poster.bytes.toString('latin1');
  expect(text).toContain('/MediaBox [0 0 595.2756 841.8898]');
  // Nine texts in the letters of this browser.
  expect(text.match(/\/Subtype \/Image/g)).toHaveLength(9);
  expect(poster.bytes.length).toBeGreaterThan(50_000);
  const start = text.indexOf('stream\n', text.indexOf('4 0 obj')) + 'stream\n'.length;
  const content = inflateSync(poster.bytes.subarray(start, text.indexOf('\nendstream', start))).toString();
  const black = content.split('\n').find((line) => line.startsWith('0 g ')) ?? '';
  const path = black.replace(/(\S+) (\S+) (\S+) (\S+) re/g, 'M$1 $2h$3v$4h-$3z').replace(/^0 g | f$/g, '');
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="20 70 170 170" width="1360" height="1360"><rect x="20" y="70" width="170" height="170" fill="#fff"/><path d="${path}"/></svg>`;
  expect((await readCode(page, Buffer.from(drawn), 'svg+xml')).text).toBe(url);

  const tableCard = await save('Table card, A6 (PDF)');
  expect(tableCard.name).toBe(`table-card-${event.slug}.pdf`);
});

test('all that the account has is saved as one ZIP [ACC185]', async ({ page }) => {
  await page.goto('/admin/account');
  const card = page.getByRole('region', { name: 'Download my data' });
  await card.getByRole('button', { name: 'Download' }).click();
  await card.getByRole('textbox', { name: 'Password' }).fill('wrong horse');
  await card.getByRole('button', { name: 'Prepare the ZIP' }).click();
  await expect(card.getByRole('alert')).toHaveText('Invalid current password');
  await card.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  const saving = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Prepare the ZIP' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^afterglow-\d{4}-\d\d-\d\d\.zip$/);
  await expect(card.getByText(/^The ZIP with your data and your 4 photos is downloading, /)).toBeVisible();

  const files = filesOf(readFileSync(await file.path()));
  const folder = 'events/2026-11-20 Sangeet';
  const photos = [1, 2, 3, 4].map((seed) => `${folder}/DSC_${seed}.png`);
  expect([...files.keys()]).toEqual(['data.json', ...photos]);
  expect(files.get(photos[0] ?? '')).toEqual(emptyPicture(1, 320));
  const data = JSON.parse(files.get('data.json')?.toString() ?? '') as { account: unknown; events: unknown };
  expect(data).toMatchObject({
    format: { name: 'afterglow-account', version: 2 },
    account: { name: 'Mira Sen', email: EMAIL },
    events: [{ name: 'Sangeet', slug: event.slug }],
  });

  // The link is there for another time.
  const again = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Download again' }).click();
  expect(readFileSync(await (await again).path())).toEqual(readFileSync(await file.path()));
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the bar says which event is chosen, down to 360 px', async ({ page }) => {
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/admin/upload');
      const name = page.getByRole('button', { name: /change event/ }).getByText('Sangeet', { exact: true });
      await expect.poll(async () => (await name.boundingBox())?.width, `${width} px`).toBeGreaterThan(50);
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${width} px`)
        .toBe(width);
      await expect(page.getByText('Add photos from this device')).toBeVisible();
    }
  });

  test('photos are gone through with a finger, and stay where they are while others come [GAL004]', async ({
    page,
  }) => {
    // One photo is still in process when the gallery opens, so it is looked for again.
    let looks = 0;
    await page.route('**/api/photos/search*', async (route) => {
      looks += 1;
      const response = await route.fetch();
      const body = (await response.json()) as { photos: { original_filename: string; status: string }[] };
      for (const photo of body.photos) {
        if (looks < 3 && photo.original_filename === 'DSC_1.png') photo.status = 'processing';
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto('/admin/gallery');
    await page.getByRole('button', { name: 'Open DSC_4.png' }).tap();
    const shown = page.locator('.yarl__slide_current img');
    await expect(shown).toHaveAttribute('alt', 'DSC_4.png');
    await swipe(page, -250);
    await expect(shown).toHaveAttribute('alt', 'DSC_3.png');
    await swipe(page, -250);
    await expect(shown).toHaveAttribute('alt', 'DSC_2.png');
    await page.waitForResponse('**/api/photos/search*');
    await page.waitForLoadState('networkidle');
    await expect(shown).toHaveAttribute('alt', 'DSC_2.png');
    await swipe(page, 250);
    await expect(shown).toHaveAttribute('alt', 'DSC_3.png');
    await swipe(page, 0, 400);
    await expect(shown).toBeHidden();
  });
});

test('photos are looked at by keyboard, and go when they are chosen and deleted [GAL004]', async ({ page }) => {
  await page.goto('/admin/gallery');
  await expect(page.getByText('4 photos', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open DSC_4.png' }).click();
  const shown = page.locator('.yarl__slide_current img');
  await expect(shown).toHaveAttribute('alt', 'DSC_4.png');
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveAttribute('alt', 'DSC_3.png');
  await page.keyboard.press('Escape');
  await expect(shown).toBeHidden();

  await page.getByRole('checkbox', { name: 'Select DSC_1.png' }).check();
  await page.getByRole('checkbox', { name: 'Select DSC_2.png' }).check();
  await page.getByRole('button', { name: 'Delete 2' }).click();
  await expect(page.getByText('2 photos deleted.')).toBeVisible();
  await expect(page.getByText('2 photos', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Find by file name' }).click();
  await page.getByRole('searchbox', { name: 'Find by file name' }).fill('DSC_3');
  await expect(page.getByRole('list', { name: 'Photos' }).getByRole('listitem')).toHaveCount(1);
});

test('the premium plan is bought with a coupon on the way to an event [PAY025] [PAY084]', async ({ page, server }) => {
  server.run('coupon', 'create', 'AFTER20', '--percent', '20');
  await page.goto('/admin/event-registration');
  await page.getByRole('button', { name: 'Upgrade to Premium' }).click();
  const dialog = page.getByRole('dialog', { name: 'Premium plan' });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByText('Please enter a coupon code')).toBeVisible();
  await dialog.getByLabel('Coupon code').fill('nothing');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Coupon code').fill('after20');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByText('₹799.20', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Pay ₹799.20' }).click();
  await page.getByRole('dialog', { name: /Test mode/ }).getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByText('Premium is yours. Now create the event.')).toBeVisible();
  await page.getByLabel('Event name').fill('Reception');
  await page.getByLabel('Event date').fill('2026-11-22');
  await page.getByRole('button', { name: 'Create event' }).click();
  await expect(page.getByRole('heading', { name: 'Reception', level: 1 })).toBeVisible();
  await page.goto('/admin/upload');
  await expect(page.getByText('Uploads are free with Premium.')).toBeVisible();
});

test('an event without photos shows its generated cover down to the horizon and below', async ({ page }) => {
  await page.goto('/admin/event-registration');
  await page.getByLabel('Event name').fill('Mehendi');
  await page.getByLabel('Event date').fill('2026-11-23');
  await page.getByRole('button', { name: 'Create event' }).click();
  await expect(page.getByRole('heading', { name: 'Mehendi', level: 1 })).toBeVisible();
  await page.goto('/admin/events');
  const cover = page.getByRole('article', { name: 'Mehendi' }).locator('img[src^="/covers/"]');
  await expect(cover).toBeVisible();
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect((await cover.boundingBox())?.height).toBe(188);
});

test('a deleted event goes with a notification, and is remembered on the overview [EVT022] [EVT025] [EVT027] [EVT028] [DASH013]', async ({
  page,
}) => {
  // The page hears that it is over once it has been seen running, however slow the machine is.
  let goOn = () => {};
  const seenRunning = new Promise<void>((seen) => (goOn = seen));
  await page.route('**/api/events/task/**', async (route) => {
    await seenRunning;
    await route.continue();
  });
  await page.goto('/admin/events');
  const card = page.getByRole('article', { name: 'Sangeet' });
  await card.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Sangeet?' });
  await expect(dialog).toContainText('60 seconds');
  await dialog.getByRole('button', { name: 'Delete event' }).click();
  await expect(card.getByText('Deleting...')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Upload' })).toBeDisabled();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const notifications = page.getByRole('dialog', { name: 'Notifications' });
  await expect(notifications).toContainText('Deleting Event');
  goOn();
  await expect(notifications).toContainText('Event Deleted');
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await page.goto('/admin/overview');
  await expect(page.getByRole('row', { name: /Sangeet/ })).toBeVisible();
});

test('a watermark in any script is lettered here and drawn by the server', async ({ page }) => {
  await page.goto('/admin/account');
  const studio = page.getByRole('region', { name: 'Studio' });
  await studio.getByRole('button', { name: 'Set up studio' }).click();
  await page.getByLabel('Studio name').fill('स्टूडियो मीरा');
  await studio.getByRole('button', { name: 'Save studio' }).click();
  const card = page.getByRole('region', { name: 'Watermark' });
  await card.getByRole('button', { name: 'Set up watermark' }).click();
  await expect(card.getByRole('textbox', { name: 'Text' })).toHaveValue('© स्टूडियो मीरा');
  await card.getByRole('radio', { name: 'On photos that they look at' }).check();
  await card.getByRole('button', { name: 'Save watermark' }).click();
  const sample = card.getByRole('img', { name: 'A picture with the watermark' });
  await expect(sample).toHaveJSProperty('naturalWidth', 1200);

  await card.getByRole('button', { name: 'Edit watermark' }).click();
  await card.getByRole('textbox', { name: 'Text' }).fill('');
  await card.getByRole('button', { name: 'Save watermark' }).click();
  await expect(card.getByText('Please add a logo to your studio first, or enter a text')).toBeVisible();
  await card.getByRole('button', { name: 'Remove watermark' }).click();
  await expect(card.getByRole('button', { name: 'Set up watermark' })).toBeVisible();
});

test('the account changes its name, address and password, and goes for good [ACC001]', async ({ page, server }) => {
  await page.goto('/admin/account');
  await page.getByRole('button', { name: 'Change Name' }).click();
  await page.getByLabel('New name').fill('Mira Kapoor');
  await page.getByRole('button', { name: 'Update Name' }).click();
  await expect(page.getByRole('main').getByText('Mira Kapoor')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account, MK' })).toBeVisible();

  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByRole('textbox', { name: 'Current Password' }).fill('wrong horse');
  await page.getByRole('textbox', { name: 'New Password', exact: true }).fill('staple battery');
  await page.getByRole('textbox', { name: 'Confirm New Password' }).fill('staple battery');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Current Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByRole('textbox', { name: 'Current Password' })).toBeHidden();

  const moved = 'moved@example.com';
  await page.getByRole('button', { name: 'Change Email' }).click();
  await page.getByLabel('New email').fill(moved);
  await page.getByLabel('Confirm email').fill(moved);
  await page.getByRole('textbox', { name: 'Current Password' }).fill('staple battery');
  await page.getByRole('button', { name: 'Update Email' }).click();
  await expect(page.getByText(`${moved} waits for its verification.`)).toBeVisible();

  // Verifying the new address logs out; from then on it is the one to log in with.
  await page.goto(await mailedLink(server.outbox, moved, '/verify-email'));
  await page.getByRole('link', { name: 'Go to Login Page' }).click();
  await page.getByLabel('Email').fill(moved);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('staple battery');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/admin\/overview$/);

  await page.goto('/admin/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill('staple battery');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/(login)?$/);
  await page.goto('/login');
  await page.getByLabel('Email').fill(moved);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('staple battery');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Invalid email or password')).toBeVisible();
});

interface Code {
  text: string;
  side: number;
  /** Modules of white around it. */
  margin: number;
}

/** What a QR reader sees in a picture. */
async function readCode(page: Page, picture: Buffer, type = 'png'): Promise<Code> {
  await page.evaluate(QR_READER);
  return page.evaluate(async (source) => {
    interface Reader {
      jsQR(pixels: Uint8ClampedArray, width: number, height: number): { data: string; version: number } | null;
    }
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const code = (window as unknown as Reader).jsQR(data, image.width, image.height);
    if (code === null) throw new Error('no QR code in the picture');
    let dark = 0;
    while (data[4 * dark] !== 0) dark += 1;
    const modules = 17 + 4 * code.version;
    const [x, y] = [dark % image.width, Math.floor(dark / image.width)];
    const module = (image.width - 2 * x) / modules;
    if (x !== y) throw new Error(`its first corner is at ${x}, ${y}`);
    return { text: code.data, side: image.width, margin: Math.round(x / module) };
  }, `data:image/${type};base64,${picture.toString('base64')}`);
}
