import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Preloads the two fonts that every page needs, instead of after its style sheet. */
const preloadFonts = (): Plugin => ({
  name: 'preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /-latin-wght-normal-[^.]+\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
        })),
  },
});

/** Adds src/preloadEventPage.ts as a separate script before the main one. */
const preloadEventPage = (): Plugin => {
  let reference = '';
  return {
    name: 'preload-event-page',
    apply: 'build',
    buildStart() {
      reference = this.emitFile({ type: 'chunk', id: 'src/preloadEventPage.ts', name: 'preloadEventPage' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.values(bundle).find(
          (chunk) => chunk.type === 'chunk' && chunk.name === 'preloadEventPage',
        );
        if (file === undefined) throw new Error(`${reference} was not built`);
        return [
          {
            tag: 'script',
            injectTo: 'head-prepend',
            attrs: { type: 'module', src: `/${file.fileName}`, crossorigin: true, fetchpriority: 'high' },
          },
        ];
      },
    },
  };
};

const server = process.env['AFTERGLOW_DEV_SERVER'] ?? 'http://127.0.0.1:8080';
const proxy = { '/api': server, '/covers': server };

export default defineConfig({
  plugins: [react(), preloadFonts(), preloadEventPage()],
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0 },
  server: { proxy },
  preview: { proxy },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['src/shared/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    testTimeout: 40_000,
  },
});
