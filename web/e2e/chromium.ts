import { existsSync } from 'node:fs';
import { type LaunchOptions } from '@playwright/test';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium without a window and what is drawn around the page, where the system has it: it takes less of a processor. */
const SHELL = '/usr/bin/chromium-headless-shell';
/** The browser that people have. */
export const WHOLE_BROWSER = '/usr/bin/chromium';

/** How Debian's Chromium is started; with a `.mjpeg` file, that file is what its camera sees. */
export function launch(cameraFile?: string): LaunchOptions {
  const camera =
    cameraFile === undefined
      ? []
      : [
          '--use-fake-ui-for-media-stream',
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-video-capture=${cameraFile}`,
        ];
  return { executablePath: existsSync(SHELL) ? SHELL : WHOLE_BROWSER, args: [...QUIET, ...camera] };
}
