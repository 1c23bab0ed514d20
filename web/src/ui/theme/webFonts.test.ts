import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The faces that the document uses, and those that are being fetched. */
const adopted = new Set<object>();
const fetching: (() => void)[] = [];

class Face {
  readonly family: string;
  readonly loaded: Promise<this>;
  #arrive: (face: this) => void = () => undefined;
  constructor(family: string) {
    this.family = family;
    this.loaded = new Promise((resolve) => (this.#arrive = resolve));
  }
  load() {
    fetching.push(() => this.#arrive(this));
    return this.loaded;
  }
}

const families = () => [...adopted].map((face) => (face as Face).family);
const underWay = () => vi.waitFor(() => expect(fetching).toHaveLength(2));
async function arrive() {
  await underWay();
  for (const deliver of fetching) deliver();
}

/** The modules anew, as in a document whose first script came after so many milliseconds. */
async function fontsAfter(duration: number) {
  vi.spyOn(performance, 'getEntriesByName').mockReturnValue([{ duration } as PerformanceEntry]);
  vi.resetModules();
  const { startFonts, showFonts } = await import('./startFonts');
  // On a busy machine the limit of the wait would end before this is there.
  await import('./webFonts');
  return { startFonts: () => startFonts('start.js'), showFonts };
}

/** A page with one element, whose place depends on the fonts. */
function show(fallback: number, own: number) {
  document.body.innerHTML = '<div id="root"><p>Asha</p></div>';
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => ({ top: adopted.size === 0 ? fallback : own }) as DOMRect,
  );
}

beforeEach(() => {
  vi.stubGlobal('FontFace', Face);
  Object.defineProperty(document, 'fonts', { configurable: true, value: adopted });
});
afterEach(() => {
  adopted.clear();
  fetching.length = 0;
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'fonts');
});

test('on a quick line the fonts come before the page is shown', async () => {
  const { startFonts } = await fontsAfter(20);
  const started = startFonts();
  await arrive();
  await started;
  expect(new Set(families())).toEqual(new Set(['Instrument Sans Variable', 'Familjen Grotesk Variable']));
});

test('those that are late do not hold the page up', async () => {
  const { startFonts } = await fontsAfter(20);
  await startFonts();
  await underWay();
  expect(adopted.size).toBe(0);
});

test('on a slow line they are fetched once the page is shown', async () => {
  const { startFonts, showFonts } = await fontsAfter(600);
  await startFonts();
  expect(fetching).toHaveLength(0);
  const shown = showFonts();
  await arrive();
  await shown;
  expect(adopted.size).toBe(5);
});

test('fonts that move nothing are used at once [RUN074]', async () => {
  const { showFonts } = await fontsAfter(600);
  show(40, 40.4);
  const shown = showFonts();
  await arrive();
  await shown;
  expect(adopted.size).toBe(5);
});

test('fonts that would move the page wait for what the guest does next [RUN074]', async () => {
  const { showFonts } = await fontsAfter(600);
  show(40, 62);
  const shown = showFonts();
  await arrive();
  await shown;
  expect(adopted.size).toBe(0);
  document.querySelector('p')?.click();
  await vi.waitFor(() => expect(adopted.size).toBe(5));
});

test('a browser without the interface keeps the fallback', async () => {
  const { startFonts, showFonts } = await fontsAfter(20);
  vi.stubGlobal('FontFace', undefined);
  await startFonts();
  await showFonts();
  expect(adopted.size).toBe(0);
});
