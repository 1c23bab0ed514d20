import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The two faces every page needs start to load with the page, not after its style sheet. */
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

/** A script of its own before the shell: what the address alone tells to fetch starts at once. */
const startEarly = (): Plugin => {
  let early = '';
  return {
    name: 'start-early',
    apply: 'build',
    buildStart() {
      early = this.emitFile({ type: 'chunk', id: 'src/early.ts', name: 'early' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.name === 'early');
        if (file === undefined) throw new Error(`${early} was not built`);
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

export default defineConfig({
  plugins: [react(), preloadFonts(), startEarly()],
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0 },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['src/shared/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    testTimeout: 40_000,
  },
});
