import { expect, it } from 'vitest';
import { aPhoto } from '../../../testing/fixtures';
import { headingHeight, layoutRows } from './justifiedRows';
import { sectionByHour } from './sections';

const at = (captured_at: string | null) => aPhoto({ captured_at });

it('a photo stands under the hour of its capture, by the clock of the camera', () => {
  expect(sectionByHour(at('2026-11-20T18:30:05.120'))).toBe('20 Nov 2026, 18:00');
  expect(sectionByHour(at('2026-11-20T18:59:59'))).toBe('20 Nov 2026, 18:00');
  expect(sectionByHour(at('2026-11-21T00:05:00'))).toBe('21 Nov 2026, 00:00');
  expect(sectionByHour(at(null))).toBe('Time not known');
});

it('each section begins a row, under its heading, and the last row of one is not stretched', () => {
  const photos = ['18:10', '18:40', '19:05'].map((time) => ({ width: 300, height: 200, time }));
  const rows = layoutRows(photos, 1000, 200, 10, ({ time }) => time.slice(0, 2));
  expect(
    rows.map(({ heading, top, height, photos: placed }) => [heading, top, height, placed.length]),
  ).toEqual([
    ['18', headingHeight, 200, 2],
    ['19', headingHeight + 200 + 10 + headingHeight, 200, 1],
  ]);
});
