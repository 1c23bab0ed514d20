import { type Page } from '@playwright/test';
import { createEvent, type Event, logIn, type Photographer, signUp } from './accounts';
import { expect, test } from './fixtures';
import { networkOf } from './network';
import { emptyPicture } from './pictures';

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'uploads@example.com');
  event = await createEvent(server, request, photographer, 'Sangeet', []);
  await request.dispose();
});

test.beforeEach(async ({ page }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/upload');
});

const image = (name: string, seed: number, side = 64) => ({
  name,
  mimeType: 'image/png',
  buffer: emptyPicture(seed, side),
});
const images = (from: number, count: number, side?: number) =>
  Array.from({ length: count }, (_, index) => image(`DSC_${from + index}.png`, from + index, side));

const choose = (page: Page, files: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0]) =>
  page.getByLabel('Choose photos').setInputFiles(files);
const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });

test('what is no image is left out or refused with its reason, what is there already costs nothing [UPL006] [UPL010] [UPL071]', async ({
  page,
}) => {
  await choose(page, [
    image('good.png', 1),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
    { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('this is no picture') },
  ]);
  await expect(page.getByText('1 file is no image and was left out.')).toBeVisible();
  await expect(progress(page)).toContainText('2 of 2');
  const failed = page.getByRole('list', { name: 'Failed Uploads' });
  await expect(failed.getByRole('listitem')).toHaveCount(1);
  await expect(failed).toContainText('fake.jpg');
  await expect(page.getByText('1 credit a photo, 99 left')).toBeVisible();

  await choose(page, [image('good again.png', 1)]);
  await expect(page.getByText('Already there', { exact: true })).toBeVisible();
  await expect(page.getByText('1 already there, free of charge')).toBeVisible();
  await expect(page.getByText('1 credit a photo, 99 left')).toBeVisible();
});

test('a network that is torn off holds the batch, and it goes on by itself when it is back [UPL020] [UPL026]', async ({
  page,
}) => {
  const network = await networkOf(page);
  await network.throttle(4000);
  await choose(page, images(10, 5, 160));
  await expect(page.getByText(/^\d+%$/).first()).toBeVisible();
  await network.disconnect();
  await expect(page.getByText('Verifying').first()).toBeVisible();
  await expect(page.getByText('The connection is lost.')).toBeVisible();
  await network.restore();
  await expect(page.getByText('The connection is lost.')).toBeHidden();
  await expect(progress(page)).toContainText('5 of 5');
  await expect(progress(page)).toContainText('0 failed');
  await expect(progress(page)).toContainText('5 uploaded');
  await expect(page.getByText('1 credit a photo, 94 left')).toBeVisible();
});

test('after a reload the batch is offered again, and only what is missing travels [UPL044]', async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const batch = images(20, 3, 160);
  await choose(page, batch.slice(0, 1));
  await expect(progress(page)).toContainText('1 of 1');
  const network = await networkOf(page);
  await network.throttle(2000);
  const travelling = page.waitForRequest('**/api/photos/upload');
  await choose(page, batch);
  await travelling;
  await page.reload();
  await network.restore();
  await expect(page.getByText(/ of 3 photos of your last batch are still missing\./)).toBeVisible();
  await choose(page, batch);
  await expect(progress(page)).toContainText('2 uploaded');
  await expect(progress(page)).toContainText('1 already there, free of charge');
  await expect(page.getByText('All photos are uploaded.')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('drop-zone')).toBeVisible();
  await expect(page.getByText('still missing')).toBeHidden();
  await expect(page.getByText('1 credit a photo, 91 left')).toBeVisible();
});

test('credit that runs out stops the batch; a first recharge, which counts double, sends it on [UPL075] [PAY015] [PAY060]', async ({
  page,
  request,
  server,
}) => {
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const { credits } = (await (await request.get(`${server.url}/api/subscription/credits`, { headers })).json()) as {
    credits: number;
  };
  // ₹2 are left.
  server.run('credits', 'grant', 'uploads@example.com', '--reason', 'For the test', '--', String(2 - credits));
  await page.reload();

  await choose(page, images(40, 5));
  await expect(page.getByText('This batch is larger than your credit: 5 photos, 2 credits.')).toBeVisible();
  await expect(progress(page)).toContainText('0 uploaded');
  await page.getByRole('button', { name: 'Upload the first 2 photos' }).click();
  await expect(page.getByText('Uploading has stopped: the credit is used up.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Failed Uploads' })).toContainText(
    'Insufficient credits. Please add credits to continue uploading.',
  );
  await page.getByRole('link', { name: 'Add credits' }).click();
  await expect(page.getByRole('region', { name: 'Available Credits' })).toContainText('₹0');
  await page.getByLabel('Amount in rupees').fill('100');
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  const sandbox = page.getByRole('dialog', { name: /Test mode/ });
  await sandbox.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Payment was cancelled')).toBeVisible();
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  await sandbox.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByText('Payment failed. Please try again.')).toBeVisible();
  await page.getByRole('button', { name: 'Pay ₹100' }).click();
  await sandbox.getByRole('button', { name: 'Pay ₹100' }).click();
  await expect(page.getByText('200 credits added.')).toBeVisible();
  await expect(page.getByText('First recharge counts double')).toBeHidden();
  // What an operator takes was not earned: the ₹200 bought now, and the credit of the photos so far.
  await expect(page.getByRole('region', { name: 'Total Earned' })).toContainText(`₹${300 + 2 - credits}`);

  // The queue has gone on behind the overview.
  await page.getByRole('navigation').getByRole('link', { name: 'Upload' }).click();
  await expect(progress(page)).toContainText('5 of 5');
  await expect(progress(page)).toContainText('0 failed');
  await expect(page.getByText('1 credit a photo, 197 left')).toBeVisible();
});

test('another event is not turned to over running uploads without a question, and in another tab without harm', async ({
  page,
  context,
  request,
  server,
}) => {
  const other = await createEvent(server, request, photographer, 'Haldi', []);
  const network = await networkOf(page);
  await network.throttle(2000);
  await choose(page, images(60, 2, 160));
  await expect(page.getByText(/^\d+%$/).first()).toBeVisible();

  const tab = await context.newPage();
  await logIn(tab, photographer, other);
  await tab.goto('/admin/gallery');
  await expect(tab.getByRole('heading', { name: 'Haldi' })).toBeVisible();
  await expect(page.getByText('DSC_60.png')).toBeVisible();

  await page.getByRole('button', { name: /change event/ }).click();
  await page.getByRole('option', { name: /Haldi/ }).click();
  const question = page.getByRole('dialog', { name: 'Uploads in progress' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('button', { name: /Sangeet.*change event/ })).toBeVisible();
  await network.restore();
  await expect(progress(page)).toContainText('2 of 2');
  await expect(progress(page)).toContainText('0 failed');

  // Nothing runs any more: the other event is a click away.
  await page.getByRole('button', { name: /change event/ }).click();
  await page.getByRole('option', { name: /Haldi/ }).click();
  await expect(page.getByRole('button', { name: /Haldi.*change event/ })).toBeVisible();
  await expect(progress(page)).toBeHidden();
});

test('of photos that are chosen again no bytes travel, whatever they are called', async ({
  page,
  server,
  request,
}) => {
  const meera = await signUp(server, request, 'again@example.com');
  await logIn(page, meera, await createEvent(server, request, meera, 'Mehndi', []));
  await page.goto('/admin/upload');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/photos/upload')) sent.push(request.url());
  });
  const [first, second, third] = images(600, 3, 160);
  if (first === undefined || second === undefined || third === undefined) throw new Error('three images');
  await choose(page, [first, second]);
  await expect(progress(page)).toContainText('2 uploaded');
  expect(sent).toHaveLength(2);
  await page.reload();
  await choose(page, [{ ...first, name: 'renamed.png' }, second, third]);
  await expect(progress(page)).toContainText('3 of 3');
  await expect(progress(page)).toContainText('1 uploaded');
  await expect(page.getByText('2 already there, free of charge')).toBeVisible();
  expect(sent).toHaveLength(3);
});
