/** A layer of the page above its start, such as the results or the viewer. */
export interface HistoryLayer {
  /** The guest went back: closes the layer. */
  onBack: () => void;
  /** The guest went forward to where the layer was: opens it again. Returns false if that is not possible. */
  onForward?: (() => boolean) | undefined;
}

const depthOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'depth' in state && typeof state.depth === 'number'
    ? state.depth
    : 0;

/**
 * Keeps one entry of the browser's history for each open layer, so that Back closes the topmost layer and leaves the page
 * only when none is open. Layers that are closed by other means take their entries with them.
 */
export class HistoryLayers {
  readonly #layers: HistoryLayer[] = [];
  /** The layer that was closed last at each depth. */
  readonly #closed = new Map<number, HistoryLayer>();
  #traversing = false;
  #scheduled = false;

  readonly #history: Pick<History, 'state' | 'pushState' | 'go'>;

  constructor(history: Pick<History, 'state' | 'pushState' | 'go'>) {
    this.#history = history;
    // After a reload the browser may be at the entry of a layer that is not open any more.
    this.#schedule();
  }

  /** Opens a layer above the others; the returned function closes it. */
  open(layer: HistoryLayer): () => void {
    this.#layers.push(layer);
    this.#schedule();
    return () => {
      const at = this.#layers.indexOf(layer);
      if (at < 0) return;
      this.#closed.set(at + 1, layer);
      this.#layers.splice(at, 1);
      this.#schedule();
    };
  }

  /** Handles a `popstate` event. */
  handlePopState(): void {
    if (this.#traversing) {
      this.#traversing = false;
      this.#schedule();
      return;
    }
    const depth = depthOf(this.#history.state);
    if (depth > this.#layers.length && this.#closed.get(depth)?.onForward?.() !== true) this.#schedule();
    for (const layer of this.#layers.slice(depth).reverse()) layer.onBack();
  }

  /** Waits until all layers of one change are opened and closed: one replaced by another keeps its entry. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#synchronize();
    });
  }

  #synchronize(): void {
    // The browser goes back asynchronously; `popstate` continues.
    if (this.#traversing) return;
    const depth = depthOf(this.#history.state);
    for (let next = depth + 1; next <= this.#layers.length; next += 1) {
      this.#history.pushState({ depth: next }, '');
    }
    if (depth > this.#layers.length) {
      this.#traversing = true;
      this.#history.go(this.#layers.length - depth);
    }
  }
}
