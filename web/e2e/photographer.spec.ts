import { type Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { mailedLink } from './outbox';
import { emptyPicture, picture } from './pictures';

const EMAIL = 'mira@example.com';
const PASSWORD = 'correct horse';

test("a photographer's day: from the registration to a full gallery", async ({ page, server }) => {
  await test.step('register [NAV009] [AUTH029] [AUTH031]', async () => {
    await page.goto('/register');
    await page.getByLabel('Full name').fill('Mira Sen');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email!' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  });

  await test.step('verify by the mailed link [NAV010] [AUTH034] [RUN034]', async () => {
    await page.goto(await mailedLink(server.outbox, EMAIL, '/verify-email'));
    await expect(page.getByRole('heading', { name: 'Email Verified Successfully!' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to Login Page' }).click();
    await expect(page).toHaveURL(/\/login$/);
  });

  await test.step('log in [NAV008] [AUTH004]', async () => {
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(/\/admin\/overview$/);
  });

  await test.step('create an event [EVT001] [EVT006] [EVT009]', async () => {
    await page.goto('/admin/event-registration');
    await page.getByLabel('Event name').fill('Asha & Ravi');
    await page.getByLabel('Event date').fill('2026-11-20');
    await page.getByRole('button', { name: 'Create event' }).click();
    await expect(page.getByText(`${server.url}/event/asha-`)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Upload' }).click();
    await expect(page).toHaveURL(/\/admin\/upload\?event=/);
  });

  await test.step('upload by the chooser, then by drop [UPL001] [UPL002] [UPL007] [UPL008]', async () => {
    const progress = page.getByRole('region', { name: 'Progress' });
    await page.getByLabel('Choose photos').setInputFiles([picture('obama.jpg'), picture('obama2.jpg')]);
    await expect(progress.getByRole('progressbar', { name: 'Overall progress' })).toBeVisible();
    await expect(progress).toContainText('2 of 2', { timeout: 60_000 });
    await drop(page, 'evening.png', emptyPicture(1));
    // A batch that follows a finished one counts anew.
    await expect(progress).toContainText('1 of 1', { timeout: 60_000 });
    await expect(progress).toContainText('0 failed');
  });

  await test.step('a camera gets a login, and loses it', async () => {
    await page.goto('/admin/settings#uploads');
    await page.getByRole('button', { name: 'Set up Camera (FTP)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Camera (FTP)' });
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByLabel('Current Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await expect(dialog.getByRole('button', { name: 'Copy password' })).toBeVisible();
    await expect(dialog.getByText('Never used')).toBeVisible();
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await expect(dialog.getByRole('button', { name: 'Switch on' })).toBeVisible();
  });

  await test.step('the gallery shows them [GAL002] [GAL004]', async () => {
    await page.goto('/admin/gallery');
    await expect(page.getByText('3 photos', { exact: true })).toBeVisible();
    const tiles = page.getByRole('list', { name: 'Photos' }).locator('img');
    await expect(tiles).toHaveCount(3);
    for (const tile of await tiles.all()) {
      await expect
        .poll(() => tile.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    }
  });

  await test.step('and they were charged [PAY001] [CONST002]', async () => {
    await page.goto('/admin/overview');
    await expect(page.getByText('Enough for 97 photos')).toBeVisible();
  });
});

/** Lets a file fall on the drop area, as a browser reports it. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dropped = new DataTransfer();
      dropped.items.add(new File([data], fileName, { type: 'image/png' }));
      return dropped;
    },
    [name, bytes.toString('base64')] as const,
  );
  const area = page.getByTestId('drop-zone');
  await area.dispatchEvent('dragenter', { dataTransfer: transfer });
  await area.dispatchEvent('drop', { dataTransfer: transfer });
}
