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
  return { executablePath: '/usr/bin/chromium', args: [...QUIET, ...camera] };
}
