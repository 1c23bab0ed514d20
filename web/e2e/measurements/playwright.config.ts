import { defineConfig } from '@playwright/test';
import { launch } from '../chromium';

// Not a test: `npm run measure` prints figures for docs/measurements.md.
export default defineConfig({
  testDir: '.',
  testMatch: '*.measure.ts',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: { launchOptions: launch() },
});
