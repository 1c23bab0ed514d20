import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Wanted } from './engine';

/**
 * The queries of the component tests as a script for a page. All engines are asked by this one implementation of roles
 * and names, so that what differs between them is the page, not the driver.
 */
export const queries = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Runs in a page that has `queries`. */
export function locate({ role, name, inDialog = false }: Wanted): Element | null {
  interface Library {
    queryAllByRole(container: Element, role: string, options: { name: (text: string) => boolean }): Element[];
    queryAllByLabelText(container: Element, name: string): Element[];
  }
  const { TestingLibraryDom: library } = window as unknown as { TestingLibraryDom: Library };
  // The name of a photo goes on with what is known of it, such as its time.
  const isName = (text: string) => text === name || text.startsWith(`${name}, `);
  for (const container of inDialog ? document.querySelectorAll('dialog[open], [role=dialog]') : [document.body]) {
    const found =
      role === undefined
        ? library.queryAllByLabelText(container, name)
        : library.queryAllByRole(container, role, { name: isName });
    const shown = found.find((element) => element.getClientRects().length > 0);
    if (shown !== undefined) return shown;
  }
  return null;
}

/**
 * Runs in a page: brings an element to where a pointer can reach it. Drivers scroll only until it is in the window, where
 * the fixed bar at its foot may cover it, and click without asking whether it still moves.
 */
export async function bringToPointer(element: Element): Promise<void> {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const frame = () => new Promise(requestAnimationFrame);
  const place = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  let [before, still] = [place(), 0];
  for (let frames = 0; still < 3; frames += 1) {
    if (frames === 120) throw new Error('the element does not stand still');
    await frame();
    const now = place();
    still = now.x === before.x && now.y === before.y ? still + 1 : 0;
    before = now;
  }
  const onTop = document.elementFromPoint(before.x, before.y);
  if (onTop === null || !element.contains(onTop)) {
    throw new Error(`the element is covered by ${onTop?.outerHTML.slice(0, 200) ?? 'nothing: it is outside the window'}`);
  }
}

/** The first of these programs that is installed. */
export function installed(programs: readonly string[]): string {
  const path = programs.find((program) => existsSync(program));
  if (path === undefined) throw new Error(`${programs.join(' or ')} is not there: tools/setup.sh test`);
  return path;
}
