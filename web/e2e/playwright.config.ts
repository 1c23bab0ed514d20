import { defineConfig } from '@playwright/test';
import { launch } from './chromium';

// The binary under test serves one worker at a time: two browsers and a face search on two cores would only
// make every time limit a lie.
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  workers: 1,
  forbidOnly: true,
  // A test that passes when repeated is named at the end of `make test`, and more than two of them fail it (decision 0028).
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    launchOptions: launch(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
