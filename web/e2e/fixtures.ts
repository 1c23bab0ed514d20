import { test as base } from '@playwright/test';
import { type Server, startServer } from './server';

/** A fixture: a server that is stopped after its tests. */
// The runner reads from the pattern which fixtures are wanted; an empty one is none.
export async function startedServer({}: object, use: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer();
  await use(server);
  await server.stop();
}

/** Tests with a server of their own, one for each worker. */
export const test = base.extend<object, { server: Server }>({
  server: [startedServer, { scope: 'worker', timeout: 120_000 }],
  baseURL: async ({ server }, use) => use(server.url),
});

/** The same with a server that tells guests although it writes its mails to a folder. */
export const testWithTelling = test.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ AFTERGLOW_TELL_GUESTS: 'on' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

export { expect } from '@playwright/test';
