import { isIos } from './platform';

/** An in-app browser, as listed in /in-app-browsers.json. Operators can replace that file. */
export interface InAppBrowser {
  /** The name of the app. */
  name: string;
  /** Parts of its user agent, any of which tells it. */
  userAgent: readonly string[];
  /** Names of global variables, any of which tells it. */
  globals: readonly string[];
  /**
   * Links that open a page in the phone's own browser. {url} is the page's address, {encoded} the same percent-encoded,
   * {rest} the address without its scheme, {page} without its fragment, and {fragment} the fragment with its #.
   */
  exits: { ios?: string; android?: string };
  /** Where the app's menu has this. */
  menu: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

function parseBrowser(value: unknown): InAppBrowser[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, userAgent, globals, exits, menu } = value as Record<string, unknown>;
  if (!isText(name)) return [];
  const { ios, android } = (typeof exits === 'object' && exits !== null ? exits : {}) as Record<
    string,
    unknown
  >;
  return [
    {
      name,
      userAgent: textsOf(userAgent),
      globals: textsOf(globals),
      exits: { ...(isText(ios) && { ios }), ...(isText(android) && { android }) },
      menu: isText(menu) ? menu : '',
    },
  ];
}

/** Parses the list; what is not an entry is left out. */
export const parseInAppBrowsers = (value: unknown): InAppBrowser[] =>
  Array.isArray(value) ? value.flatMap(parseBrowser) : [];

/** The in-app browser of this page; null in a browser of its own. */
export const currentInAppBrowser = (
  browsers: readonly InAppBrowser[],
  userAgent: string = navigator.userAgent,
  scope: object = window,
): InAppBrowser | null =>
  browsers.find(
    (browser) =>
      browser.userAgent.some((part) => userAgent.includes(part)) ||
      browser.globals.some((name) => name in scope),
  ) ?? null;

/** The link that opens `url` in the phone's own browser; null if the app has none. */
export function exitLink({ exits }: InAppBrowser, url: string): string | null {
  const template = isIos() ? exits.ios : exits.android;
  if (template === undefined) return null;
  const [page = '', ...fragment] = url.split(/(?=#)/);
  const parts: Record<string, string> = {
    url,
    encoded: encodeURIComponent(url),
    rest: url.replace(/^https?:\/\//, ''),
    page,
    fragment: fragment.join(''),
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
}
