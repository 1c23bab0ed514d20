import { defineConfig } from '@playwright/test';
import { launch } from './chromium';

// Two workers, each with a server of its own: a test waits most of its time, for a page, a mail or a minute of maintenance.
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  workers: 2,
  forbidOnly: true,
  // A test that passes when repeated is named at the end of `make test`, and more than two of them fail it (decision 0028).
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    launchOptions: launch(),
    screenshot: 'only-on-failure',
    // Recording every test would take a part of the processor from all of them.
    trace: 'on-first-retry',
  },
});
