import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The faces that the document uses, and those that are being fetched. */
const adopted = new Set<object>();
const fetching: (() => void)[] = [];

class Face {
  readonly loaded: Promise<this>;
  #arrive: (face: this) => void = () => undefined;
  readonly family: string;
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
const arrive = () => {
  for (const deliver of fetching) deliver();
};

/** The module anew, as in a document whose answer took so long; the script before came from the cache if `cached`. */
async function fontsAfter(milliseconds: number, cached = false) {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { requestStart: 5, responseStart: 5 + milliseconds } as PerformanceNavigationTiming,
  ]);
  vi.spyOn(performance, 'getEntriesByName').mockReturnValue([
    { transferSize: cached ? 0 : 900 } as PerformanceResourceTiming,
  ]);
  vi.resetModules();
  return import('./webFonts');
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
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: adopted,
  });
});
afterEach(() => {
  adopted.clear();
  fetching.length = 0;
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'fonts');
});

test('on a quick line the fonts come before the page is shown [RUN246]', async () => {
  const { startFonts } = await fontsAfter(20);
  const started = startFonts('start.js');
  expect(fetching).toHaveLength(2);
  arrive();
  await started;
  expect(new Set(families())).toEqual(new Set(['Instrument Sans Variable', 'Familjen Grotesk Variable']));
});

test('those that are late do not hold the page up [RUN246]', async () => {
  vi.useFakeTimers();
  const { startFonts } = await fontsAfter(20);
  const started = startFonts('start.js');
  await vi.advanceTimersByTimeAsync(1000);
  await started;
  expect(adopted.size).toBe(0);
  vi.useRealTimers();
});

test('on a slow line they are fetched once the page is shown, unless it came from the cache [RUN246]', async () => {
  const slow = await fontsAfter(400);
  await slow.startFonts('start.js');
  expect(fetching).toHaveLength(0);
  const finished = slow.finishFonts();
  expect(fetching).toHaveLength(2);
  arrive();
  await finished;
  expect(adopted.size).toBe(5);

  fetching.length = 0;
  const again = await fontsAfter(400, true);
  void again.startFonts('start.js');
  expect(fetching).toHaveLength(2);
});

test('fonts that move nothing are used at once [RUN074]', async () => {
  const { finishFonts } = await fontsAfter(400);
  show(40, 40.4);
  const finished = finishFonts();
  arrive();
  await finished;
  expect(adopted.size).toBe(5);
});

test('fonts that would move the page wait for what the guest does next [RUN074]', async () => {
  const { finishFonts } = await fontsAfter(400);
  show(40, 62);
  const finished = finishFonts();
  arrive();
  await finished;
  expect(adopted.size).toBe(0);
  document.querySelector('p')?.click();
  await vi.waitFor(() => expect(adopted.size).toBe(5));
});

test('a page without the fonts keeps the fallback', async () => {
  const { startFonts, finishFonts } = await fontsAfter(20);
  vi.stubGlobal('FontFace', undefined);
  await startFonts('start.js');
  await finishFonts();
  expect(adopted.size).toBe(0);
});
