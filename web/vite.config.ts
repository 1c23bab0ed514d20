import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { lingui } from '@lingui/vite-plugin';
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { theme } from './src/ui/theme/theme';

/**
 * Preloads the two fonts that every page of the app needs, instead of after its style sheet: where they came after the
 * first paint, lines that wrap otherwise moved the page, although the fallback fonts have their metrics. The guests' page
 * has them fetched by `webFonts.ts`.
 */
const preloadFonts = (): Plugin => ({
  name: 'preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { filename, bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => filename.endsWith('index.html') && /-latin-wght-normal-[^.]+\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
        })),
  },
});

/**
 * The theme's CSS variables for documents without the component library: those that the style sheets of the page of
 * guests, and of the components that it shares with the app, refer to.
 */
const themeVariables = (): Plugin => {
  const id = 'virtual:theme.css';
  const folders = ['src/guest', 'src/app/guest', 'src/ui'];
  const used = () => {
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(css|tsx)$/.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    );
    return new Set(files.join().match(/--mui-[\w-]+/g));
  };
  const select = (styles: object, names: Set<string>): string =>
    Object.entries(styles)
      .map(([key, value]: [string, unknown]) => {
        if (typeof value === 'object' && value !== null) return `${key}{${select(value, names)}}`;
        return names.has(key) ? `${key}:${String(value)};` : '';
      })
      .join('');
  return {
    name: 'theme-variables',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: (source) => {
      if (source !== `\0${id}`) return null;
      const names = used();
      return theme
        .generateStyleSheets()
        .map((sheet: object) => select(sheet, names))
        .join('');
    },
  };
};

/** Puts the typefaces of the server's documents beside the app, which the binary holds: no page asks for them. */
const documentTypefaces = (): Plugin => ({
  name: 'document-typefaces',
  apply: 'build',
  buildStart() {
    const folder = 'node_modules/@expo-google-fonts/noto-sans-devanagari';
    for (const [name, file] of [
      ['regular', '400Regular/NotoSansDevanagari_400Regular.ttf'],
      ['bold', '700Bold/NotoSansDevanagari_700Bold.ttf'],
    ] as const) {
      this.emitFile({
        type: 'asset',
        fileName: `typefaces/${name}.ttf`,
        source: readFileSync(join(folder, file)),
      });
    }
  },
});

/** Puts the script that starts the language of the event's page before the page's own. */
const startLanguage = (): Plugin => {
  const module = 'src/app/guest/startLanguage.ts';
  let file = '';
  return {
    name: 'start-language',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: module });
    },
    generateBundle(_, bundle) {
      // The chunk of the module itself: the emitted one only imports it.
      const chunk = Object.values(bundle).find(
        (each) => each.type === 'chunk' && Object.keys(each.modules).some((id) => id.endsWith(module)),
      );
      if (chunk === undefined) this.error(`${module} is in no chunk`);
      file = chunk.fileName;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { filename }) =>
        filename.endsWith('event.html')
          ? [
              {
                tag: 'script',
                injectTo: 'head-prepend',
                attrs: { type: 'module', src: `/${file}`, crossorigin: true },
              },
            ]
          : [],
    },
  };
};

/**
 * Writes the styles of the guests' page into its document, which travels while the line waits for the answers to what the
 * document asks for. The disabled links say to chunks that are loaded later that these styles are there.
 */
const inlineStyles = (): Plugin => ({
  name: 'inline-styles',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { filename, bundle = {} }) => {
      if (!filename.endsWith('event.html')) return html;
      return html.replace(
        /<link rel="stylesheet"([^>]*?) href="\/([^"]+)">/g,
        (_, attributes: string, name: string) => {
          const file = bundle[name];
          if (file?.type !== 'asset') throw new Error(`${name} is no style sheet`);
          const styles = Buffer.from(file.source).toString();
          return `<link rel="stylesheet"${attributes} href="/${name}" disabled>\n    <style>${styles}</style>`;
        },
      );
    },
  },
});

/** Adds the files of text as the server sends them to browsers that accept Brotli: compressed best, and once. */
const compressedAssets = (): Plugin => ({
  name: 'compressed-assets',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const texts = Object.values(bundle).filter(({ fileName }) =>
        /^assets\/.*\.(js|css|svg)$/.test(fileName),
      );
      await Promise.all(
        texts.map(async (file) => {
          const source = await promisify(brotliCompress)(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
        }),
      );
    },
  },
});

/** The development server's answer for an event's link, which is the server's in production. */
const eventDocument = (): Plugin => {
  const rewrite = (request: { url?: string | undefined }, _: unknown, next: () => void) => {
    if (request.url?.startsWith('/event/') === true) request.url = '/event.html';
    next();
  };
  return {
    name: 'event-document',
    configureServer: ({ middlewares }) => void middlewares.use(rewrite),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(rewrite),
  };
};

/** Compiles the messages in the code. Babel sees only the files that have any. */
const messageMacros = defineRolldownBabelPreset({
  preset: () => ({ plugins: ['@lingui/babel-plugin-lingui-macro'] }),
  rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } },
});

/** Modules of the first load of both documents; and the guests' button, which would be a file of its own otherwise. */
const baseModules =
  /\/node_modules\/(react|react-dom|scheduler)\/|\/src\/platform\/(formats|delay|missingEvent|siteName|session\/session|storage\/useStored|api\/(authorizedFetch|errors|links|refusals|withTimeout))\.|\/src\/ui\/(theme\/(snackbarColors|fonts|scripts)|Alert|Icon|LanguageSwitch|Logo|ProgressBar|Sky|Snackbar|SnackbarProvider|UnloadedPage|barTone|isTouchDevice|useDocumentTitle|useSnackbar|useLazyComponent|useTopModal)\.|\/useScrollState\.|\/src\/guest\/(Button|Imported)\./;

const startModules =
  /rolldown\/runtime|vite\/preload-helper|\/node_modules\/@lingui\/core\/|\/src\/platform\/(storage\/storage|i18n\/(activateLanguage|languages|startLanguage))\./;

/** Whose screens a module belongs to that a script is loaded with. */
const areaOf = (module: string): 'index' | 'site' | 'studio' | 'guests' => {
  if (/\/index\.html$|\/src\/(main|app\/demo\/)/.test(module)) return 'index';
  if (module.includes('/src/site/')) return 'site';
  return /\/src\/(studio|app\/(AdminLayout|screens|navigation))\b/.test(module) ? 'studio' : 'guests';
};

/** What the event's document loads before its button. */
const isOfFirstLoad = (module: string): boolean => /\/event\.html$|\/startLanguage\.ts$/.test(module);

/** The page of clients has much of what guests' results are made of: it is not to move that into what all guests load. */
const isOfClients = (module: string): boolean => module.includes('/src/guest/clientSelections/');

/**
 * The file of a module that several screens share: by itself each would have one for every set of screens that share a module, a
 * hundred of a kilobyte each before the photographer's gallery. What the app's document loads is one file, what any photographer's
 * screen does one, what forms of the site share with the studio one. Nothing that guests load: they have little to load.
 */
function sharedFile(module: string, context: Rolldown.ChunkingContext): string | null {
  const entries = new Set<string>();
  const seen = new Set([module]);
  for (const each of seen) {
    const info = context.getModuleInfo(each);
    if (info === null) continue;
    if ((info.isEntry || info.dynamicImporters.length > 0) && !isOfClients(each)) entries.add(each);
    for (const importer of info.importers) seen.add(importer);
  }
  if (entries.has(module) || module.endsWith('/src/main.tsx')) return null;
  const areas = new Set([...entries].map(areaOf));
  if (areas.has('guests'))
    return areas.size === 1 && entries.size > 1 && ![...entries].some(isOfFirstLoad) ? 'guests' : null;
  if (areas.has('index')) return 'app';
  const studio = [...entries].filter((entry) => areaOf(entry) === 'studio');
  const site = [...entries].filter((entry) => areaOf(entry) === 'site');
  if (site.length > 0) {
    if (studio.length < 2) return null;
    // The pages that visitors read have few of these, the forms and the studio many.
    if (site.some((entry) => /\/(Landing|Pricing)Page\./.test(entry))) return 'app';
    return /\/(zod|@hookform|react-hook-form|shared\/accounts)\//.test(module) ? null : 'forms';
  }
  return studio.some((entry) => /AdminLayout|PhotographerBar/.test(entry)) || studio.length > 2
    ? 'studio'
    : null;
}

const server = process.env['AFTERGLOW_DEV_SERVER'] ?? 'http://127.0.0.1:8080';
const proxy = { '/api': server, '/covers': server };

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    babel({ presets: [messageMacros] }),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    react(),
    preloadFonts(),
    !isSsrBuild && startLanguage(),
    inlineStyles(),
    !isSsrBuild && compressedAssets(),
    !isSsrBuild && documentTypefaces(),
    themeVariables(),
    eventDocument(),
  ],
  // Nested rules are flattened for browsers without CSS nesting (Safari before 16.5), and for jsdom.
  css: { transformer: 'lightningcss', lightningcss: { targets: { safari: 15 << 16, chrome: 100 << 16 } } },
  build: {
    target: 'es2022',
    sourcemap: false,
    copyPublicDir: !isSsrBuild,
    // For the pages that are rendered after it.
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    // Browsers without it load the same files, a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['index.html', 'event.html'],
          output: {
            codeSplitting: {
              // What both documents load first, in one file: alone, each of these compresses badly.
              groups: [
                { name: 'base', test: baseModules },
                // What the start of the language needs.
                { name: 'start', test: startModules },
                // Of guests' results and the gallery, in one file.
                { name: 'stacks', test: /\/src\/(platform\/stack(s|Texts)|ui\/useStacks)\./ },
                { name: sharedFile },
              ],
              // Otherwise the script that starts the language would wait for all of it.
              includeDependenciesRecursively: false,
            },
          },
        },
  },
  server: { proxy },
  preview: { proxy },
  test: {
    environment: './src/testing/styledDom.ts',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // Tests look at computed styles.
    css: true,
    restoreMocks: true,
    // Loading the libraries and jsdom for each file anew took half of the time. What files share is kept apart in `setup.ts`.
    isolate: false,
    testTimeout: 120_000,
    // Vitest leaves a core for the terminal, which on two cores is half of them.
    maxWorkers: '100%',
  },
}));
