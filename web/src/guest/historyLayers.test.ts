import { beforeEach, expect, test, vi } from 'vitest';
import { HistoryLayers } from './historyLayers';

/** A browser's history: entries with their states, and traversals that arrive later. */
class FakeHistory {
  entries: unknown[] = [null];
  at = 0;
  arrive: (() => void) | null = null;
  onPopState: () => void = () => undefined;
  get state(): unknown {
    return this.entries[this.at];
  }
  pushState(state: unknown) {
    this.entries = [...this.entries.slice(0, this.at + 1), state];
    this.at += 1;
  }
  go(delta = 0) {
    this.arrive = () => {
      this.arrive = null;
      this.at += delta;
      this.onPopState();
    };
  }
  /** The guest presses Back or Forward. */
  traverse(delta: number) {
    this.at += delta;
    this.onPopState();
  }
}

const settle = () => Promise.resolve();
let history: FakeHistory;
let layers: HistoryLayers;

beforeEach(() => {
  history = new FakeHistory();
  layers = new HistoryLayers(history);
  history.onPopState = () => layers.handlePopState();
});

/** Opens a layer that closes itself when the guest goes back. */
async function open() {
  const onBack = vi.fn(() => close());
  const close = layers.open({ onBack });
  await settle();
  return { onBack, close };
}

test('Back closes the topmost layer first, and then the one below', async () => {
  const results = await open();
  const viewer = await open();
  expect(history.at).toBe(2);
  history.traverse(-1);
  expect(viewer.onBack).toHaveBeenCalledOnce();
  expect(results.onBack).not.toHaveBeenCalled();
  await settle();
  history.traverse(-1);
  expect(results.onBack).toHaveBeenCalledOnce();
  await settle();
  expect(history.at).toBe(0);
});

test('a layer that is closed by its button takes its entry with it', async () => {
  await open();
  const viewer = await open();
  viewer.close();
  await settle();
  history.arrive?.();
  expect(history.at).toBe(1);
  expect(viewer.onBack).not.toHaveBeenCalled();
});

test('a layer that replaces another keeps its entry', async () => {
  const camera = await open();
  camera.close();
  layers.open({ onBack: () => undefined });
  await settle();
  expect(history.arrive).toBeNull();
  expect(history.entries).toHaveLength(2);
});

test('a layer that is opened while the browser still goes back gets its entry afterwards', async () => {
  const viewer = await open();
  viewer.close();
  await settle();
  const again = await open();
  history.arrive?.();
  await settle();
  expect(history.at).toBe(1);
  expect(again.onBack).not.toHaveBeenCalled();
});

test('Forward opens the layer again where that is possible, and is undone otherwise', async () => {
  const opened = vi.fn(() => {
    layers.open({ onBack: () => undefined });
    return true;
  });
  const close = layers.open({ onBack: () => close(), onForward: opened });
  await settle();
  history.traverse(-1);
  await settle();
  history.traverse(1);
  await settle();
  expect(opened).toHaveBeenCalledOnce();
  expect(history.at).toBe(1);

  const viewer = await open();
  history.traverse(-1);
  await settle();
  history.traverse(1);
  await settle();
  history.arrive?.();
  expect(history.at).toBe(1);
  expect(viewer.onBack).toHaveBeenCalledOnce();
});

test('after a reload the entries of layers that are open again are used', async () => {
  history.entries = [null, { depth: 1 }];
  history.at = 1;
  await open();
  expect(history.entries).toHaveLength(2);
  expect(history.at).toBe(1);
});

test('after a reload the entry of a layer that is not open any more is left', async () => {
  history.entries = [null, { depth: 1 }];
  history.at = 1;
  layers = new HistoryLayers(history);
  await settle();
  history.arrive?.();
  expect(history.at).toBe(0);
});
