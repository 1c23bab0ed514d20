import type { QRCode, QRCodeErrorCorrectionLevel } from 'qrcode';

/** White modules that a reader needs on every side (ISO/IEC 18004). */
export const quietZone = 4;

/** The dark modules of one row that touch each other. */
export interface Run {
  x: number;
  y: number;
  length: number;
}

export interface QrSymbol {
  /** Modules on a side. */
  size: number;
  runs: readonly Run[];
}

/**
 * A code that repairs 15 % of its modules (M), or more where that makes it no finer: from afar the size of a module counts
 * most, and a print that is torn or wet has the rest.
 */
export async function encode(text: string): Promise<QrSymbol> {
  const { create } = await import('qrcode');
  const at = (errorCorrectionLevel: QRCodeErrorCorrectionLevel) => create(text, { errorCorrectionLevel });
  const least = at('M');
  const [best = least] = (['H', 'Q'] as const)
    .map((level) => {
      try {
        return at(level);
      } catch {
        // Too long for this level.
        return undefined;
      }
    })
    .filter((code): code is QRCode => code?.version === least.version);
  const { modules } = best;
  return { size: modules.size, runs: runsOf(modules.size, (x, y) => modules.get(y, x) !== 0) };
}

function runsOf(size: number, isDark: (x: number, y: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let y = 0; y < size; y += 1) {
    let length = 0;
    for (let x = 0; x <= size; x += 1) {
      if (x < size && isDark(x, y)) {
        length += 1;
      } else {
        if (length > 0) runs.push({ x: x - length, y, length });
        length = 0;
      }
    }
  }
  return runs;
}

/** The code as SVG with its quiet zone, black on white, a module to a unit. */
export function svgOf({ size, runs }: QrSymbol): string {
  const side = size + 2 * quietZone;
  const path = runs
    .map(({ x, y, length }) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${10 * side}" height="${10 * side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>\n`;
}
