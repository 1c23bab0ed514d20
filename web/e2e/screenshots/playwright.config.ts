import { defineConfig } from '@playwright/test';
import { launch } from '../chromium';

// Not a test: `make screenshots` saves every screen under .cache/screenshots, to be looked at.
export default defineConfig({
  testDir: '.',
  testMatch: '*.shots.ts',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: { launchOptions: launch() },
});
