import { createRequire } from 'node:module';
import { builtinEnvironments, type Environment } from 'vitest/runtime';
import { couldMatch } from './couldMatch';

/** The parts of jsdom that decide which styles an element has. */
interface Selectors {
  matchesDontThrow: (element: ElementImplementation, selector: string | undefined) => boolean;
}

interface StyleRules {
  getDeclarationForElement: (element: ElementImplementation) => object;
}

interface Wrappers {
  implForWrapper: (element: Element) => ElementImplementation;
}

interface ElementImplementation {
  readonly _localName: string;
  getAttributeNS: (namespace: null, name: string) => string | null;
}

const load = createRequire(import.meta.url);
const pathOf = (part: string) => `jsdom/lib/jsdom/living/${part}.js`;
const jsdomPart = (part: string): unknown => load(pathOf(part));

/**
 * jsdom with quick answers about computed styles, which took more than half of the time of these tests: each query by role
 * asks for those of every element, and jsdom puts each of them to each rule of each style sheet, slowly.
 *
 * The answers are the same. What jsdom uses inside is replaced, so that a new version of it has to be looked at:
 * where it no longer asks here, the first worker fails.
 */
const styledDom: Environment = {
  ...builtinEnvironments.jsdom,
  name: 'styled-jsdom',
  setup: async (global, options) => {
    passOverRules();
    const { teardown } = await builtinEnvironments.jsdom.setup(global, options);
    rememberStyles(global as typeof globalThis & { jsdom: { window: Window } });
    return { teardown };
  },
};

export default styledDom;

/** Spares the selector engine the rules that an element cannot match. */
function passOverRules(): void {
  if (load.cache[load.resolve(pathOf('helpers/style-rules'))] !== undefined) {
    throw new Error('jsdom is loaded already: it keeps what it found of its own parts then');
  }
  const selectors = jsdomPart('helpers/selectors') as Selectors;
  const matches = selectors.matchesDontThrow;
  selectors.matchesDontThrow = (element, selector) => {
    // Rules without selectors: fonts and key frames.
    if (selector === undefined) return false;
    const classes = element.getAttributeNS(null, 'class') ?? '';
    return couldMatch(selector, element._localName, classes) && matches(element, selector);
  };
}

/** Computes the style of an element once for each state of the document. */
function rememberStyles(global: typeof globalThis & { jsdom: { window: Window } }): void {
  const { window } = global.jsdom;
  const { getDeclarationForElement } = jsdomPart('helpers/style-rules') as StyleRules;
  const { implForWrapper } = jsdomPart('generated/utils') as Wrappers;
  const compute = window.getComputedStyle.bind(window);
  // jsdom makes new declarations for all elements when anything in the document has changed.
  const computed = new WeakMap<object, CSSStyleDeclaration>();
  const remembered = (element: Element, pseudoElement?: string | null) => {
    const isPlain = (pseudoElement ?? '') === '' && element.isConnected;
    if (!isPlain) return compute(element, pseudoElement);
    const declaration = getDeclarationForElement(implForWrapper(element));
    const style = computed.get(declaration) ?? compute(element);
    computed.set(declaration, style);
    return style;
  };
  window.getComputedStyle = remembered;
  global.getComputedStyle = remembered;
}
