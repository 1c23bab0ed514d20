import { type Page, type Response } from '@playwright/test';
import { type Event, type Photographer, createEvent, logIn, signUp } from './accounts';
import { examine } from './axe';
import { expect, test } from './fixtures';

/** Every row of the route table with the heading of its screen. */
const PUBLIC: [path: string, heading: string | RegExp][] = [
  ['/', 'Professional Photo Management with AI-Powered Face Recognition'],
  ['/pricing', /./],
  ['/contact', /./],
  ['/privacy', /privacy/i],
  ['/terms', /terms/i],
  ['/cancellation-refunds', /refund/i],
  ['/shipping', /shipping/i],
  ['/login', 'Login'],
  ['/register', 'Register'],
  ['/verify-email', 'Verification Failed'],
  ['/forgot-password', 'Forgot password'],
  ['/reset-password#token=unknown', 'New password'],
  ['/agree-email-change#token=unknown', 'Agree to a new email'],
  ['/revoke-email-change#token=unknown', "This wasn't me"],
  ['/revoke-registration#token=unknown', "This wasn't me"],
  ['/demo', /./],
];
const ADMIN: [path: string, heading: string | RegExp][] = [
  ['/admin/overview', /^Good (morning|afternoon|evening|night), Mira$/],
  ['/admin/events', 'Events'],
  ['/admin/event-registration', 'Create New Event'],
  ['/admin/upload', 'Upload Photos'],
  ['/admin/gallery', 'Asha & Ravi'],
  ['/admin/trash', 'Asha & Ravi'],
  ['/admin/people', 'Asha & Ravi'],
  ['/admin/share', 'Asha & Ravi'],
  ['/admin/guests', 'Asha & Ravi'],
  ['/admin/statistics', 'Asha & Ravi'],
  ['/admin/settings', 'Asha & Ravi'],
  ['/admin/payments', 'Payments'],
  ['/admin/account', 'Profile Settings'],
];
const FULL_WIDTH = ['/', '/pricing', '/contact', '/privacy', '/terms', '/cancellation-refunds', '/shipping'];
const REDIRECTED: [from: string, to: string][] = [
  ['/admin', '/admin/overview'],
  ['/nowhere', '/'],
  ['/admin/nowhere', '/'],
  ['/event', '/'],
];

let photographer: Photographer;
let event: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'screens@example.com');
  event = await createEvent(server, request, photographer, 'Asha & Ravi', ['obama.jpg']);
  await request.dispose();
});

test('every row of the route table leads where it says [NAV001] [NAV002] [NAV003] [NAV004] [NAV005] [NAV006] [NAV007] [NAV008] [NAV009] [NAV010] [NAV011] [NAV012] [NAV013] [NAV014] [NAV015] [NAV016] [NAV017] [NAV018] [NAV019] [NAV020] [NAV023] [NAV024] [RUN002]', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  for (const [path, heading] of [...PUBLIC, [`/event/${event.slug}`, event.name] as const]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading }), path).toBeVisible();
    await expect(page.getByRole('banner'), path).toHaveCount(path === '/demo' ? 0 : 1);
    const width = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().width);
    if (FULL_WIDTH.includes(path)) expect(width, `${path} uses the full width`).toBe(1600);
    else if (path === '/demo') expect(width, path).toBeLessThan(1600);
  }
  for (const [path] of ADMIN) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/login');
  }
  const context = await browser.newContext();
  const admin = await context.newPage();
  await logIn(admin, photographer, event);
  const base = new URL(page.url()).origin;
  for (const [path, heading] of ADMIN) {
    await admin.goto(base + path);
    await expect(admin.getByRole('heading', { level: 1, name: heading }), path).toBeVisible();
    await expect(admin.getByRole('banner'), path).toHaveCount(1);
  }
  for (const [from, to] of REDIRECTED) {
    await admin.goto(base + from);
    await expect(admin, from).toHaveURL(base + to);
  }
  await context.close();
});

test('an event is made by keyboard alone, and the focus is seen all the way [EVT001] [RUN068] [RUN069]', async ({
  page,
}) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/overview');
  await expect(page.getByRole('region', { name: 'Active Events' })).toContainText(/\d/);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page, 'Create event');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/event-registration');
  await tabTo(page, 'Event name');
  await page.keyboard.type('By keyboard');
  await tabTo(page, 'Event date');
  await page.keyboard.type('11222026');
  await tabTo(page, 'Create event');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'By keyboard' })).toBeVisible();
});

test('with reduced motion nothing moves while a screen loads [RUN071]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await logIn(page, photographer, event);
  await page.route('**/api/**', () => new Promise(() => undefined));
  for (const path of ['/admin/overview', '/admin/events', '/admin/gallery']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    const moving = await page.evaluate(() =>
      document.getAnimations().filter((each) => {
        const timing = each.effect?.getComputedTiming();
        return each.playState === 'running' && Number(timing?.duration ?? 0) > 1;
      }).length,
    );
    expect(moving, path).toBe(0);
  }
});

test('axe finds nothing on the public screens, none scrolls sideways [RUN067]', async ({ page }) => {
  test.slow();
  for (const path of [...PUBLIC.map(([path]) => path), `/event/${event.slug}`]) await look(page, path);
});

test('axe finds nothing on the admin screens, none scrolls sideways [RUN067]', async ({ page }) => {
  test.slow();
  await logIn(page, photographer, event);
  for (const [path] of ADMIN) await look(page, path);
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
    // Upload and gallery add the event to their address.
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}${url.hash}`.startsWith(path));
    await expect(page.getByRole('heading').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await examine(page, path);
  });
}

/** What has the focus, and whether it shows that. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    // At the end of the page the focus goes to the browser's own bar.
    if (element === document.body) return { text: '', shows: true };
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    // A field shows it on its frame, a control on itself.
    const shows = [element, ...(element.parentElement?.children ?? [])].some((each) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(each);
      const ring = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      return ring || boxShadow !== 'none' || (each.tagName === 'FIELDSET' && borderColor !== '');
    });
    return { text: label ?? element.getAttribute('aria-label') ?? element.textContent, shows };
  });

/** Presses Tab until the control of that name has the focus; every stop on the way has to show that it has it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press('Tab');
    const { text } = await focused(page);
    // A field gets its frame with the next drawing of the page.
    await expect.poll(async () => (await focused(page)).shows, `the focus on '${text}' is seen`).toBe(true);
    if (text.startsWith(name)) return;
  }
  throw new Error(`Tab does not lead to '${name}'`);
}
