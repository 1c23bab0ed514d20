import { createEvent, type Event, logIn, type Photographer, signUp } from '../accounts';
import { expect, test } from '../fixtures';
import { chooseSelfie } from '../guests';
import { saveScreenshot } from './save';
import { type Page } from '@playwright/test';
let photographer: Photographer;
let event: Event;
export const drawn = async (page: Page, color: string) => {
  const url = await page.evaluate((color) => {
    const canvas = document.createElement('canvas'); canvas.width = 1200; canvas.height = 360;
    const c = canvas.getContext('2d')!; c.fillStyle = color; c.strokeStyle = color; c.lineWidth = 24;
    c.beginPath(); c.arc(180, 180, 140, 0, 7); c.stroke(); c.beginPath(); c.arc(180, 180, 60, 0, 7); c.fill();
    c.font = '700 200px sans-serif'; c.fillText('MEERA', 370, 250);
    return canvas.toDataURL('image/png');
  }, color);
  return Buffer.from(url.split(',')[1]!, 'base64');
};
test.beforeAll(async ({ server, playwright }) => {
  test.setTimeout(300_000);
  const request = await playwright.request.newContext();
  photographer = await signUp(server, request, 'studio@example.com');
  event = await createEvent(server, request, photographer, 'Aanya & Rohan, Sangeet', ['obama.jpg', 'obama2.jpg']);
  await request.dispose();
});
test('brand', async ({ page, server }) => {
  await logIn(page, photographer, event);
  await page.goto('/admin/account');
  const headers = { Authorization: `Bearer ${photographer.token}` };
  const put = async (path: string, options: object) => {
    const answer = await page.request.put(server.url + path, { headers, ...options });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await put('/api/studio', { data: { name: 'Meera Kapoor Photography', accent: '#f4c2c2', website: 'meerakapoor.example', instagram: 'meera.kapoor', contact: '+91 98450 12345' } });
  await put('/api/studio/logo', { multipart: { logo: { name: 'l.png', mimeType: 'image/png', buffer: await drawn(page, '#1e2840') } } });
  await put('/api/studio/watermark', { multipart: { position: 'bottom_right', opacity: '60', on_downloads: 'true' } });
  await page.goto(`/event/${event.slug}`);
  await expect(page.getByRole('heading', { name: 'Find Your Photos' })).toBeVisible();
  await saveScreenshot(page, 'base-start', 'window');
  await chooseSelfie(page);
  await expect(page.getByText(/^2 from/)).toBeVisible({ timeout: 60_000 });
  await saveScreenshot(page, 'base-results', 'window');
  await page.getByRole('button', { name: 'Photo 1 of 2' }).click();
  const shown = page.getByRole('dialog').getByRole('img', { name: 'Photo 1 of 2' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
  await page.waitForTimeout(800);
  await saveScreenshot(page, 'base-viewer', 'window');
});
