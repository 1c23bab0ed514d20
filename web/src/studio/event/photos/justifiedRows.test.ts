import { describe, expect, it } from 'vitest';
import { layoutRows } from './justifiedRows';

const landscape = { width: 6000, height: 4000 };
const portrait = { width: 4000, height: 6000 };

describe('justified rows', () => {
  it('fill the width exactly and keep the aspect ratios', () => {
    const photos = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? portrait : landscape));
    const rows = layoutRows(photos, 1200, 260, 6);
    for (const row of rows.slice(0, -1)) {
      const last = row.photos.at(-1);
      expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(1200, 5);
      expect(row.height).toBeLessThanOrEqual(260);
      for (const { photo, width } of row.photos)
        expect(width / row.height).toBeCloseTo(photo.width / photo.height, 5);
    }
    expect(rows.flatMap((row) => row.photos)).toHaveLength(40);
  });

  it('are stacked with a gap', () => {
    const rows = layoutRows(
      Array.from({ length: 20 }, () => landscape),
      1000,
      200,
      4,
    );
    rows.slice(1).forEach((row, index) => {
      const above = rows[index];
      expect(row.top).toBeCloseTo((above?.top ?? 0) + (above?.height ?? 0) + 4, 5);
    });
  });

  it('do not stretch a last row of one photo', () => {
    expect(layoutRows([portrait], 1200, 260, 6)[0]?.height).toBe(260);
  });

  it('tolerate photos without size and a container without width', () => {
    expect(layoutRows([{ width: 0, height: 0 }], 1200, 260, 6)[0]?.photos[0]?.width).toBe(260);
    expect(layoutRows([landscape], 0, 260, 6)).toEqual([]);
    expect(
      layoutRows([{ width: 90_000, height: 10 }], 1200, 260, 6)[0]?.photos[0]?.width,
    ).toBeLessThanOrEqual(1200);
  });
});
