/**
 * The fonts of an event's page. A style sheet or a preload would ask for them together with the page's scripts, of whose
 * line they would take a third; and where they come after the first paint, lines that wrap otherwise would move the page.
 */
import displayUrl from '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2?url';
import displayExtendedUrl from '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-ext-wght-normal.woff2?url';
import displayVietnameseUrl from '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-vietnamese-wght-normal.woff2?url';
import textUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import textExtendedUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-ext-wght-normal.woff2?url';

const latin =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const extended =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';
const vietnamese =
  'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB';

const face = (family: string, url: string, unicodeRange: string): FontFace =>
  new FontFace(`${family} Variable`, `url(${url})`, { weight: '400 700', display: 'swap', unicodeRange });

/** Fetches what every page needs. The faces of rarer letters come with them, to be fetched when such a letter is shown. */
async function fetchFonts(): Promise<FontFace[]> {
  const needed = await Promise.all([
    face('Instrument Sans', textUrl, latin).load(),
    face('Familjen Grotesk', displayUrl, latin).load(),
  ]);
  return [
    face('Instrument Sans', textExtendedUrl, extended),
    face('Familjen Grotesk', displayVietnameseUrl, vietnamese),
    face('Familjen Grotesk', displayExtendedUrl, extended),
    ...needed,
  ];
}

const adopt = (faces: readonly FontFace[]) => {
  for (const each of faces) document.fonts.add(each);
};

/** Adopts the fonts if nothing on the page moves by that; returns whether. */
function adoptUnlessMoving(faces: readonly FontFace[]): boolean {
  const elements = [...document.querySelectorAll('#root *')];
  const tops = () => elements.map((element) => element.getBoundingClientRect().top);
  const before = tops();
  adopt(faces);
  if (tops().every((top, at) => Math.abs(top - (before[at] ?? top)) < 1)) return true;
  for (const each of faces) document.fonts.delete(each);
  return false;
}

let shown: Promise<void> | null = null;

/**
 * Fetches the fonts and uses them: at once if nothing moves by that, as before the page is shown, otherwise after the next
 * thing that the guest does.
 */
export function showFonts(): Promise<void> {
  shown ??= (async () => {
    if (typeof FontFace !== 'function' || !('fonts' in document)) return;
    try {
      const faces = await fetchFonts();
      if (adoptUnlessMoving(faces)) return;
      // The click itself has reached what it was meant for.
      window.addEventListener('click', () => void setTimeout(() => adopt(faces)), {
        once: true,
        capture: true,
      });
    } catch {
      // The page keeps the fallback fonts.
    }
  })();
  return shown;
}
