import { createEvent, post, signUp } from '../accounts';
import { expect, testWithTelling as test } from '../fixtures';
import { startChromium } from './chromium';
import { button, type Engine, type EnginePage, inDialog, type Wanted } from './engine';
import { startFirefox } from './firefox';
import { appears } from './seeing';
import { startWebKit } from './webkit';

test.use({ trace: 'off' });

const ENGINES = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };

interface Selection {
  readonly id: string;
  readonly url: string;
  readonly chosen: number;
  readonly comments: number;
  readonly done_at: string | null;
  readonly message: string | null;
}

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

for (const [name, start] of Object.entries(ENGINES))
  test(`in ${name} a client chooses photos by a link, and the photographer sees which and reopens [EVT206] [EVT207]`, async ({
    server,
    playwright,
  }) => {
    const request = await playwright.request.newContext();
    const photographer = await signUp(server, request, `selection-${name.toLowerCase()}@example.com`);
    const pictures = ['obama.jpg', 'obama2.jpg', 'biden.jpg'];
    const event = await createEvent(server, request, photographer, 'Sangeet', pictures);
    const list = `${server.url}/api/events/${event.id}/selections`;
    const wanted = { name: 'Asha', photo_limit: 2 };
    const headers = { Authorization: `Bearer ${photographer.token}` };
    const made = (await post(request, list, wanted, headers)) as Selection;
    const stored = async () => {
      const { selections } = (await (await request.get(list, { headers })).json()) as {
        selections: Selection[];
      };
      return selections[0];
    };
    let engine: Engine | undefined;
    try {
      engine = await start();
      const { page } = engine;
      await page.open(made.url);
      await reads(page, '0 of 2 chosen');
      await click(page, button('Choose photo 1'));
      await reads(page, '1 of 2 chosen');
      await click(page, button('Choose photo 3'));
      await reads(page, '2 of 2 chosen');
      await expect.poll(async () => (await stored())?.chosen).toBe(2);
      await click(page, button('Choose photo 2'));
      await reads(page, 'You have chosen as many photos as you can. Take one back to choose another.');

      await click(page, button('Done'));
      await reads(page, 'Are you done?');
      await click(page, inDialog(button('Done')));
      await reads(page, 'You are done, and your photographer has been told.');
      const done = await stored();
      expect([done?.chosen, done?.done_at !== null]).toEqual([2, true]);
      const view = `${server.url}/api/photos/search?event_id=${event.id}&selection_id=${made.id}`;
      const chosen = (await (await request.get(view, { headers })).json()) as { total_count: number };
      expect(chosen.total_count).toBe(2);

      await post(request, `${list}/${made.id}/reopen`, null, headers);
      await page.open(made.url);
      await reads(page, '2 of 2 chosen');
      await click(page, button('Choose photo 1'));
      await reads(page, '1 of 2 chosen');
      await appears(page, button('Only chosen'));
    } finally {
      await engine?.close();
      await request.dispose();
    }
  });
