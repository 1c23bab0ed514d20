import { renderToStaticMarkup } from 'react-dom/server';
import { Cover } from '../../guest/Cover';
import { SheetSkeleton } from '../../guest/Skeleton';
import { SplitLayout } from '../../guest/SplitLayout';
import type { PublicEvent, Studio } from '../../platform/api/types';

const studio: Studio = {
  name: '{studio}',
  accent: null,
  website: null,
  instagram: null,
  contact: null,
  logo: null,
  dark_logo: null,
};

/** An event whose texts are the names of what the server writes there. */
const event = {
  slug: 'slug',
  name: '{name}',
  date: '2026-01-01',
  description: '{description}',
  cover_url: '/{cover}',
  studio,
} as PublicEvent;

/** Replaces the one place that `pattern` is found at. */
function replaceOne(html: string, pattern: RegExp, by: (found: string) => string): string {
  const found = html.match(new RegExp(pattern, 'g')) ?? [];
  if (found.length !== 1) throw new Error(`${pattern.source} is ${found.length} times in ${html}`);
  return html.replace(pattern, by);
}

/** Marks an element that the server leaves out where the event has no such thing. */
const optional = (html: string, name: string, element: RegExp): string =>
  replaceOne(html, element, (found) => `<!-- ${name} -->${found}<!-- /${name} -->`);

/**
 * What the document of guests shows until its scripts run: the event's picture and words, which the server puts into the
 * places in braces (`api/events/opening.rs`), and a skeleton of the sheet. The places of the date, which is written in the
 * language that the guest may have chosen, and of the studio's links are kept.
 */
export function renderOpening(): string {
  let html = renderToStaticMarkup(
    <div dir="{direction}">
      <SplitLayout image={<Cover event={event} />} busy>
        <SheetSkeleton below="{below}px" />
      </SplitLayout>
    </div>,
  );
  // The head of the document fetches the picture.
  html = html.replace(/<link rel="preload"[^>]*>/g, '');
  html = html.replace(/ (loading|decoding|fetchPriority|draggable)="[^"]*"/g, '');
  html = optional(html, 'sky', /<img src="\/covers\/[^>]*>/);
  html = optional(html, 'photo', /<img class="[^"]*" src="\/\{cover\}"[^>]*>/);
  html = optional(html, 'description', /<p class="[^"]*" data-open="true">.*?<\/p>/);
  html = optional(html, 'studio', /<div class="[^"]*"><strong>.*?<\/div>/);
  html = replaceOne(html, /src="\/covers\/slug\.svg"/, () => 'src="{cover}"');
  html = replaceOne(html, /src="\/\{cover\}"/, () => 'src="{cover}"');
  html = replaceOne(html, /data-photo="true"/, () => 'data-photo="{photo}"');
  html = replaceOne(html, /data-length="short"/, () => 'data-length="{length}"');
  // As long descriptions begin.
  html = replaceOne(html, /data-open="true"/, () => 'data-open="false"');
  html = replaceOne(html, /(?<=<p class="[^"]*">)[^<{]+(?=<\/p><h1)/, () => '&nbsp;');
  return replaceOne(html, /<\/strong>/, (end) => `${end}<a>&nbsp;</a>`);
}
