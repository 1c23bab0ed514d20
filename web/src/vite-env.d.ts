/** The theme's CSS variables; vite.config.ts makes it. */
declare module 'virtual:theme.css';

/** A catalogue of messages; Lingui's plugin of vite.config.ts compiles it. */
declare module '*.po' {
  import type { Messages } from '@lingui/core';
  export const messages: Messages;
}
