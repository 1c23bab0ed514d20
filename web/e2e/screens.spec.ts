import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, type Response } from '@playwright/test';
import { type Event, type Photographer, holdEvent, logIn, signUp } from './accounts';
import { expect, test } from './fixtures';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PUBLIC = [
  '/',
  '/pricing',
  '/contact',
  '/privacy',
  '/terms',
  '/cancellation-refunds',
  '/shipping',
  '/login',
  '/register',
  '/verify-email',
  '/forgot-password',
  '/reset-password?token=unknown',
  '/demo',
];
const ADMIN = [
  '/admin/overview',
  '/admin/events',
  '/admin/event-registration',
  '/admin/upload',
  '/admin/gallery',
  '/admin/account',
];

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'screens@example.com');
  event = await holdEvent(server, request, photographer, 'Asha & Ravi', ['obama.jpg']);
  await request.dispose();
});

test('axe finds nothing on the public screens, none scrolls sideways [RUN067]', async ({ page }) => {
  test.slow();
  for (const path of [...PUBLIC, `/event/${event.slug}`]) await look(page, path);
});

test('axe finds nothing on the admin screens, none scrolls sideways [RUN067]', async ({ page }) => {
  test.slow();
  await logIn(page, photographer, event);
  for (const path of ADMIN) await look(page, path);
});

test("the guest's first load is light and holds no admin code [RUN072] [RUN073]", async ({ page }) => {
  const answers: Response[] = [];
  page.on('response', (answer) => answers.push(answer));
  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('heading', { name: event.name })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const loaded = answers.filter((answer) =>
    ['script', 'stylesheet'].includes(answer.request().resourceType()),
  );
  const sizes = await Promise.all(loaded.map((answer) => answer.request().sizes()));
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(200_000);

  // Texts of screens that only a photographer sees; a bundler's names of files are no proof.
  const sources = (await Promise.all(loaded.map((answer) => answer.text()))).join('\n');
  for (const text of ['Quick Actions', 'Failed Uploads', 'No events created yet', 'Password Reset']) {
    expect(sources, text).not.toContain(text);
  }
});

/** Opens a screen, and looks at it on a phone and on a desk, in both themes. */
async function look(page: Page, path: string): Promise<void> {
  await test.step(path, async () => {
    await page.goto(path);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    // Through the inspector, because the page's own policy allows no foreign script.
    await page.evaluate(AXE);
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const here = `${path}, ${viewport.width} px, ${colorScheme}`;
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect.soft(overflow, `${here} scrolls sideways`).toBeLessThanOrEqual(0);
        expect.soft(await violations(page), here).toEqual([]);
      }
    }
  });
}

/** What axe finds, each as its rule and where. */
async function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(', ')}`);
  });
}
