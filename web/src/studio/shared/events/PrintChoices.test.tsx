import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedLanguage } from '../../../platform/storage/storage';
import { renderScreen } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import { QrCodeDialog } from './QrCodeDialog';

const saved = vi.hoisted(() => [] as [Blob, string][]);
vi.mock('../../../ui/saveFile', () => ({
  saveFile: vi.fn(),
  saveBlob: (blob: Blob, name: string) => saved.push([blob, name]),
}));
const printable = vi.hoisted(() => vi.fn());
vi.mock('../print/printable', () => ({ printable }));

const event = { id: 'e1', name: 'Sangeet', slug: 'sangeet-k7m2x9q4tr', date: '2026-11-14' };
const accent = {
  color: '#6fa8dc',
  light: { background: '#568fc3', label: '#000000' },
  dark: { background: '#6fa8dc', label: '#000000' },
};
const printed = {
  ...event,
  studio: {
    name: 'Red Fort',
    logo: { width: 8, height: 4, bytes: new Uint8Array([1, 2]) },
    accent: accent.light,
  },
};
const url = 'https://photos.studio.example/event/sangeet-k7m2x9q4tr';

function open(
  site: () => Response | Promise<Response> = () => json({ public_url: 'https://photos.studio.example' }),
  pin: string | null = null,
) {
  mockServer({
    'GET /api/site': site,
    'GET /api/events/e1/pin': () => json({ pin }),
    // Of whoever prints.
    'GET /api/studio': () => json({ studio: { name: 'Blue Lake', accent: null, logo: null } }),
    [`GET /api/events/${event.slug}`]: () =>
      json({
        ...event,
        studio: {
          name: 'Red Fort',
          accent,
          logo: { url: '/api/studio/logos/a', width: 8, height: 4 },
        },
      }),
    'GET /api/studio/logos/a': () => new Response(new Uint8Array([1, 2])),
  });
  renderScreen(<QrCodeDialog event={event} open onClose={() => undefined} />);
}
const button = (name: RegExp) => screen.getByRole('button', { name });
const named = (name: string) => expect.objectContaining({ name }) as unknown;

beforeEach(() => {
  saved.splice(0);
  printable.mockReset();
  printable.mockResolvedValue(new Blob(['%PDF']));
});

describe('the QR dialog', () => {
  it('makes a poster and a table card of the event’s studio, in the language of the account or another one', async () => {
    // [BRAND058]
    storedLanguage.write('ta');
    open();
    await screen.findByText(url);
    const language = screen.getByRole('combobox', { name: 'Language of the print' });
    expect(language).toHaveDisplayValue('தமிழ்');
    await vi.waitFor(() => expect(button(/Poster, A4/)).toBeEnabled());
    await userEvent.click(button(/Poster, A4/));
    await vi.waitFor(() => expect(saved.map(([, name]) => name)).toEqual(['poster-sangeet-k7m2x9q4tr.pdf']));
    expect(printable).toHaveBeenLastCalledWith(printed, url, named('தமிழ்'), 'a4');

    await userEvent.selectOptions(language, 'हिन्दी');
    await userEvent.click(button(/Table card, A6/));
    await vi.waitFor(() => expect(saved[1]?.[1]).toBe('table-card-sangeet-k7m2x9q4tr.pdf'));
    expect(printable).toHaveBeenLastCalledWith(printed, url, named('हिन्दी'), 'a6');
    expect(document.documentElement.lang).not.toBe('hi');
  });

  it('prints the PIN if that is wished', async () => {
    open(undefined, '0042');
    await userEvent.click(await screen.findByRole('switch', { name: 'Poster and table card show the PIN' }));
    await vi.waitFor(() => expect(button(/Poster, A4/)).toBeEnabled());
    await userEvent.click(button(/Poster, A4/));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    const withPin = expect.objectContaining({ name: 'Sangeet', pin: '0042' }) as unknown;
    // The link itself enters it only where that is wished.
    expect(printable).toHaveBeenLastCalledWith(withPin, url, expect.anything(), 'a4');
  });

  it('prints a code that enters the PIN if that is wished [EVT107]', async () => {
    open(undefined, '0042');
    await userEvent.click(await screen.findByRole('switch', { name: 'The link and the code enter the PIN' }));
    await vi.waitFor(() => expect(button(/Poster, A4/)).toBeEnabled());
    await userEvent.click(button(/Poster, A4/));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(printable).toHaveBeenLastCalledWith(
      expect.not.objectContaining({ pin: '0042' }),
      `${url}#pin=0042`,
      expect.anything(),
      'a4',
    );
  });

  it('prints nothing before the address of the server is known', async () => {
    let answer: (site: Response) => void = () => undefined;
    open(() => new Promise((resolve) => (answer = resolve)));
    expect(button(/Poster, A4/)).toBeDisabled();
    expect(button(/As SVG/)).toBeDisabled();
    answer(json({ public_url: 'https://photos.studio.example' }));
    await vi.waitFor(() => expect(button(/Poster, A4/)).toBeEnabled());
  });

  it('says when a PDF cannot be made, and tries again', async () => {
    printable.mockRejectedValueOnce(new Error('no canvas'));
    open();
    await vi.waitFor(() => expect(button(/Poster, A4/)).toBeEnabled());
    await userEvent.click(button(/Poster, A4/));
    expect(await screen.findByText('The PDF could not be made. Please try again.')).toBeVisible();
    await userEvent.click(button(/Poster, A4/));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(screen.queryByText(/could not be made/)).toBeNull();
  });

  it('saves the code as SVG', async () => {
    open();
    await vi.waitFor(() => expect(button(/As SVG/)).toBeEnabled());
    await userEvent.click(button(/As SVG/));
    await vi.waitFor(() => expect(saved[0]?.[1]).toBe('qr-code-sangeet-k7m2x9q4tr.svg'));
    expect(saved[0]?.[0].type).toBe('image/svg+xml');
  });
});
