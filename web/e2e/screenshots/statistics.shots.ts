import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { saveAtExtremes, saveScreenshot } from './save';

let photographer: Photographer;
let visited: Event;
let unvisited: Event;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'numbers@example.com');
  visited = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', ['obama.jpg']);
  unvisited = await createEvent(server, request, photographer, 'Aanya & Rohan, Haldi', ['obama.jpg']);
  await request.dispose();
});

test.beforeEach(({ page }) => logIn(page, photographer, visited));

test('statistics', async ({ page }) => {
  for (let visit = 0; visit < 3; visit += 1) await page.goto(`/event/${visited.slug}`);
  await page.goto(`/admin/statistics?event=${visited.id}`);
  await expect(page.getByRole('table', { name: 'Day by day' })).toBeVisible();
  await saveScreenshot(page, 'admin-statistics');
  await saveAtExtremes(page, 'admin-statistics');
});

test('statistics, nobody was there', async ({ page }) => {
  await page.goto(`/admin/statistics?event=${unvisited.id}`);
  await expect(page.getByRole('heading', { name: 'No guest has been here yet' })).toBeVisible();
  await saveScreenshot(page, 'admin-statistics-empty');
});
