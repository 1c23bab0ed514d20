import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInThisContext } from 'node:vm';
import { Linter } from 'eslint';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// The wall is a document of the server, of which there is no build: its script is what is tried here.
const source = readFileSync(resolve(import.meta.dirname, '../../../crates/api/templates/wall.js'), 'utf8');

describe('the script of the wall', () => {
  it('is ES5, and names nothing that browsers of 2017 lack without asking [GAL460]', () => {
    const problems = new Linter().verify(source, {
      languageOptions: { ecmaVersion: 5, sourceType: 'script' },
      rules: {
        'no-restricted-globals': [
          'error',
          'fetch',
          'Promise',
          'Map',
          'Set',
          'Symbol',
          'URL',
          'URLSearchParams',
        ],
        'no-undef': 'off',
      },
    });
    expect(problems).toEqual([]);
    for (const late of [
      'replaceChildren',
      '.append(',
      '.remove(',
      '.closest(',
      '.includes(',
      '.flat(',
      '.finally(',
    ])
      expect(source).not.toContain(late);
    // Neither what the server leaves out of it, nor what it takes spaces from.
    expect(source).not.toMatch(/\/\*|`|\\/);
  });
});

interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  status: number;
  responseText: string;
  readyState: number;
  onreadystatechange: () => void;
}

const SECRET = 'k7m2x9q4trk7m2x9q4tr';
const ID = /photos\/(.+)$/;

/** What the server answers, and whether it can be reached. */
let server: { photos: string[]; total?: number; reachable: boolean; answer?: [number, string] };
let requests: Request[];
let loads: string[];
/** Takes what the page of a wall listens to away, as its end does: later files share this document. */
let leave: (() => void)[] = [];

class FakeRequest implements Request {
  url = '';
  headers: Record<string, string> = {};
  status = 0;
  responseText = '';
  readyState = 0;
  timeout = 0;
  onreadystatechange = () => {};
  open(_: string, url: string) {
    this.url = url;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return `"${this.responseText}"`;
  }
  send() {
    requests.push(this);
    setTimeout(() => {
      this.readyState = 4;
      if (server.answer !== undefined) [this.status, this.responseText] = server.answer;
      else if (server.reachable) {
        const { photos, total = photos.length } = server;
        this.responseText = JSON.stringify({ name: 'Sangeet', photos, total });
        this.status = this.headers['If-None-Match'] === `"${this.responseText}"` ? 304 : 200;
        if (this.status === 304) this.responseText = '';
      }
      this.onreadystatechange();
    }, 10);
  }
}

/** Elements that load what they are given, as long as the server can be reached. */
function loadPictures() {
  vi.spyOn(HTMLImageElement.prototype, 'src', 'set').mockImplementation(function (
    this: HTMLImageElement,
    url: string,
  ) {
    this.setAttribute('data-photo', ID.exec(url)?.[1] ?? '');
    this.setAttribute('src', url);
    loads.push(url);
    setTimeout(() => {
      if (server.reachable) this.onload?.(new Event('load'));
      else this.onerror?.(new Event('error'));
    }, 10);
  });
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(1500);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(1000);
}

function shown(): string | null {
  const front = [...document.querySelectorAll<HTMLElement>('.layer.on')].filter(
    ({ style }) => style.zIndex === '1',
  );
  return front[0]?.querySelector('img')?.getAttribute('data-photo') ?? null;
}

const hidden = (id: string) => document.getElementById(id)?.hidden;

function open(photos: string[]) {
  server = { photos, reachable: true };
  document.body.innerHTML = `<div class="layer"><canvas></canvas></div><div class="layer"><canvas></canvas></div>
    <div id="over" class="bare"><div id="name"></div><div id="line"></div></div>
    <div id="lost" hidden></div><div id="ended" hidden></div>`;
  window.history.replaceState(null, '', `/wall/${SECRET}`);
  for (const target of [document, window]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, 'addEventListener').mockImplementation(
      (type: string, listener: EventListenerOrEventListenerObject) => {
        add(type, listener);
        leave.push(() => target.removeEventListener(type, listener));
      },
    );
  }
  // As a document runs it.
  runInThisContext(source);
}

/** What is shown in so many seconds, without repetitions. */
function watch(seconds: number): string[] {
  const seen: string[] = [];
  for (let at = 0; at < seconds * 4; at += 1) {
    vi.advanceTimersByTime(250);
    const now = shown();
    if (now !== null && now !== seen.at(-1)) seen.push(now);
  }
  return seen;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `p${String(9999 - at).padStart(4, '0')}`);

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  loads = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  loadPictures();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const each of leave) each();
  leave = [];
  document.body.innerHTML = '';
});

describe('the wall', () => {
  it('shows all in turn, and none soon again, also from one round to the next [GAL473]', () => {
    open(numbered(12));
    const seen = watch(12 * 7 * 6);
    expect(new Set(seen).size).toBe(12);
    expect(seen.length).toBeGreaterThan(60);
    for (const [at, id] of seen.entries()) expect(seen.slice(at + 1, at + 7)).not.toContain(id);
    for (let round = 0; round + 12 <= seen.length; round += 12)
      expect(new Set(seen.slice(round, round + 12)).size).toBe(12);
  });

  it.each([1, 2, 3])('shows %i photos [GAL473]', (count) => {
    open(numbered(count));
    const seen = watch(120);
    expect(new Set(seen).size).toBe(count);
    expect(seen.length).toBeGreaterThan(count === 1 ? 0 : 12);
    expect(document.querySelectorAll('img')).toHaveLength(Math.min(count, 2));
  });

  it('shows an arrival next, within ten seconds, and for longer [GAL474]', () => {
    open(numbered(8));
    watch(40);
    for (let arrival = 0; arrival < 5; arrival += 1) {
      const id = `q${String(arrival)}`;
      server.photos = [id, ...server.photos];
      expect(watch(10)).toContain(id);
      watch(30);
    }
  });

  it('keeps an arrival for 12 seconds [GAL474]', () => {
    open(numbered(8));
    watch(21);
    server.photos = ['q1', ...server.photos];
    let first = 0;
    let last = 0;
    for (let at = 0; at < 120; at += 1) {
      vi.advanceTimersByTime(250);
      if (shown() !== 'q1') continue;
      if (first === 0) first = at;
      last = at;
    }
    expect((last - first) / 4).toBeGreaterThan(11);
    expect((last - first) / 4).toBeLessThan(13);
  });

  it('takes no older photo for an arrival that comes into a list which leaves photos out [GAL474]', () => {
    open(numbered(6));
    server.total = 9;
    watch(20);
    server.photos = [...server.photos.slice(1), 'p0001'];
    expect(watch(9)).not.toContain('p0001');
  });

  it('lets a photo go at once that is hidden or deleted [GAL475]', () => {
    open(numbered(3));
    watch(9);
    const gone = shown() ?? '';
    server.photos = server.photos.filter((id) => id !== gone);
    watch(6);
    expect(document.querySelector(`[data-photo="${gone}"][src]`)).toBeNull();
    expect(watch(60)).not.toContain(gone);
    server.photos = [];
    watch(6);
    expect(shown()).toBeNull();
    expect(document.getElementById('over')?.className).toBe('bare');
    server.photos = ['q9'];
    watch(8);
    expect(shown()).toBe('q9');
    expect(document.getElementById('over')?.className).toBe('');
  });

  it('goes on for an hour without a network, says so after five minutes, and resumes [GAL476]', () => {
    open(numbered(30));
    watch(30 * 7 + 20);
    server.reachable = false;
    const asked = requests.length;
    const before = watch(4 * 60);
    expect(hidden('lost')).toBe(true);
    expect(new Set(before).size).toBeGreaterThan(20);
    const after = watch(56 * 60);
    expect(hidden('lost')).toBe(false);
    expect(after.length).toBeGreaterThan(400);
    // It asks every half minute then.
    expect(requests.length - asked).toBeLessThan(130);
    server.reachable = true;
    server.photos = ['q1', ...server.photos];
    expect(watch(45)).toContain('q1');
    expect(hidden('lost')).toBe(true);
  });

  it('does not end by the answer of a proxy while the server starts again [GAL476]', () => {
    open(numbered(3));
    watch(9);
    for (const answer of [
      [404, 'Not Found'],
      [502, ''],
      [200, '<html>'],
    ] as [number, string][]) {
      server.answer = answer;
      expect(watch(40).length).toBeGreaterThan(3);
    }
    delete server.answer;
    server.photos = ['q1', ...server.photos];
    expect(watch(45)).toContain('q1');
  });

  it('says that it has ended, and asks nothing more [GAL477]', () => {
    open(numbered(3));
    watch(9);
    server.answer = [404, '{"error":"This wall has ended.","code":"wall_ended"}'];
    watch(6);
    expect(hidden('ended')).toBe(false);
    expect(hidden('over')).toBe(true);
    expect(document.querySelectorAll('img[src]')).toHaveLength(0);
    const [asked, loaded] = [requests.length, loads.length];
    watch(3600);
    expect([requests.length, loads.length]).toEqual([asked, loaded]);
  });

  it('keeps 60 pictures at most and uses their elements again, however long it runs [GAL478]', () => {
    const made = vi.spyOn(window, 'Image');
    open(numbered(300));
    watch(3600);
    for (let hour = 0; hour < 4; hour += 1) {
      server.photos = [`r${String(hour)}`, ...server.photos.slice(0, 299)];
      watch(1800);
    }
    expect(loads.length).toBeGreaterThan(1000);
    expect(made.mock.calls.length).toBeLessThanOrEqual(60);
    expect(document.querySelectorAll('img').length).toBeLessThanOrEqual(2);
    expect(document.querySelectorAll('*').length).toBeLessThan(30);
  });

  it('asks with the tag of the last answer [GAL472]', () => {
    open(numbered(2));
    watch(30);
    expect(requests.length).toBeGreaterThan(4);
    expect(requests[0]?.headers).toEqual({});
    expect(requests.at(-1)?.status).toBe(304);
    expect(requests.every(({ url }) => url === `/api/wall/${SECRET}`)).toBe(true);
  });
});
