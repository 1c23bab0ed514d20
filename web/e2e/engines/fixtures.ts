import { createEvent, type Event, signUp } from '../accounts';
import { test as base } from '../fixtures';

/** In how many of the event's photos the person of the selfie is. */
export const FOUND = ['obama2.jpg', 'obama3.jpg'];
export const SELFIE = 'obama.jpg';

/** Tests with one event, and one server, for all of them. */
export const test = base.extend<object, { event: Event }>({
  event: [
    async ({ server, playwright }, use) => {
      const request = await playwright.request.newContext();
      const photographer = await signUp(server, request, 'engines@example.com');
      await use(await createEvent(server, request, photographer, 'Asha & Ravi', [...FOUND, 'biden.jpg']));
      await request.dispose();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

export { expect } from '../fixtures';
