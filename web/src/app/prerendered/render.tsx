import type { EmotionCache } from '@emotion/cache';
import { i18n, type Messages } from '@lingui/core';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import {
  createStaticHandler,
  createStaticRouter,
  type RouteObject,
  StaticRouterProvider,
} from 'react-router';
import { languages } from '../../platform/i18n/languages';
import { createLooks } from '../../ui/theme/AfterglowTheme';
import { AppProviders, createQueryClient } from '../App';
import { routes } from '../routes';
import { renderOpening } from './opening';

const catalogues = import.meta.glob<Messages>('../../../locales/*/site.po', { import: 'messages' });

/** The routes without what they do in a browser: their loaders look for a session and for the visitor's language. */
const withoutLoaders = (all: RouteObject[]): RouteObject[] =>
  all.map((route) => {
    if (route.index === true) return route;
    const kept = { ...route, ...(route.children && { children: withoutLoaders(route.children) }) };
    delete kept.loader;
    return kept;
  });

/** Remembers the styles that a rendering inserts, in their order. */
function collectStyles(cache: EmotionCache): () => string {
  const names: { name: string; isGlobal: boolean }[] = [];
  const insert = cache.insert.bind(cache);
  // The registry keeps the text of each rule, and components render no style elements of their own.
  cache.compat = true;
  cache.insert = (selector, serialized, sheet, shouldCache) => {
    const { name } = serialized;
    if (cache.inserted[name] === undefined) names.push({ name, isGlobal: selector === '' });
    return insert(selector, serialized, sheet, shouldCache);
  };
  const textOf = (name: string) => {
    const text = cache.inserted[name];
    return typeof text === 'string' ? text : '';
  };
  return () => {
    const { key } = cache;
    const globals = names.filter(({ isGlobal }) => isGlobal);
    const scoped = names.filter(({ isGlobal }) => !isGlobal);
    return [
      ...globals.map(({ name }) => `<style data-emotion="${key}-global ${name}">${textOf(name)}</style>`),
      `<style data-emotion="${key} ${scoped.map(({ name }) => name).join(' ')}">${scoped.map(({ name }) => textOf(name)).join('')}</style>`,
    ].join('');
  };
}

/** The languages of the pages, by their tags. */
export const tags = languages.map(({ tag }) => tag);

/** What the document of a page has before its scripts run: the element `#root` as `main.tsx` would fill it, and its styles. */
export async function renderPage(
  path: string,
  tag: string,
): Promise<{ content: string; styles: string; direction: string }> {
  const language = languages.find((each) => each.tag === tag);
  const load = catalogues[`../../../locales/${tag}/site.po`];
  if (language === undefined || load === undefined) throw new Error(`no catalogue of ${tag}`);
  const { formats, direction } = language;
  i18n.loadAndActivate({ locale: tag, locales: formats, messages: await load() });
  const handler = createStaticHandler(withoutLoaders(routes));
  const context = await handler.query(new Request(`http://localhost${path}`));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  if (context.errors !== null) throw new Error(`${path} fails`, { cause: context.errors });
  const looks = createLooks();
  const stylesOf = collectStyles(looks[direction].cache);
  const client = createQueryClient();
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <AppProviders client={client} looks={looks}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </AppProviders>
    </StrictMode>,
    { onError: (error) => void failures.push(error) },
  );
  // What a page asks the server is kept for minutes, and with it the process.
  client.clear();
  if (failures.length > 0) throw new AggregateError(failures, `${path} cannot be rendered`);
  return { content: await new Response(prelude).text(), styles: stylesOf(), direction };
}

/** What the document of guests has before its scripts run, for the server to fill. */
export const eventOpening = (): string => renderOpening();
