import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../../testing/render';
import { json, mockServer } from '../../../testing/server';
import { QrCodeDialog } from './QrCodeDialog';
import { wrapText } from '../print/wrapText';

const toDataURL = vi.hoisted(() => vi.fn());
vi.mock('qrcode', () => ({ toDataURL }));

const event = { id: 'e1', name: 'Sangeet', slug: 'sangeet-k7m2x9q4tr', date: '2026-11-14' };
function dialog(site: unknown = { public_url: 'http://localhost:8080' }, pin: string | null = null) {
  mockServer({ 'GET /api/site': () => json(site), 'GET /api/events/e1/pin': () => json({ pin }) });
  renderScreen(<QrCodeDialog event={event} open onClose={() => undefined} />);
}

/** jsdom has no canvas: the texts that are drawn. */
function mockCanvas(): string[] {
  const drawn: string[] = [];
  const context = {
    measureText: (text: string) => ({ width: text.length * 40 }),
    fillRect: () => undefined,
    drawImage: () => undefined,
    fillText: (text: string) => drawn.push(text),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/png;base64,NAMED');
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  return drawn;
}

beforeEach(() => {
  toDataURL.mockReset();
});

describe('the QR code', () => {
  it('enters the PIN if that is wished [EVT107]', async () => {
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    dialog(undefined, '0042');
    expect(await screen.findByText('PIN: 0042')).toBeVisible();
    const url = 'http://localhost:8080/event/sangeet-k7m2x9q4tr';
    await vi.waitFor(() => expect(toDataURL).toHaveBeenLastCalledWith(url, expect.anything()));
    const wish = screen.getByRole('switch', { name: 'The link and the code enter the PIN' });
    expect(wish).not.toBeChecked();
    await userEvent.click(wish);
    expect(screen.getByText(`${url}#pin=0042`)).toBeVisible();
    await vi.waitFor(() => expect(toDataURL).toHaveBeenLastCalledWith(`${url}#pin=0042`, expect.anything()));
    await userEvent.click(wish);
    expect(screen.getByText(url)).toBeVisible();
  });

  it('shows 300 px and downloads 1200 px, margin 2, black on white, with its file name [EVT041] [EVT042] [EVT043] [EVT044] [EVT045] [EVT046] [CONST034]', async () => {
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.href}`);
    });
    dialog();
    expect(await screen.findByRole('img', { name: 'QR code of the event URL' })).toHaveAttribute(
      'width',
      '300',
    );
    const drawn = mockCanvas();
    const options = { margin: 2, color: { dark: '#000000', light: '#ffffff' } };
    const url = 'http://localhost:8080/event/sangeet-k7m2x9q4tr';
    expect(toDataURL).toHaveBeenLastCalledWith(url, { ...options, width: 300 });
    await userEvent.click(screen.getByRole('button', { name: 'Download QR code' }));
    await vi.waitFor(() =>
      expect(saved).toEqual(['qr-code-sangeet-k7m2x9q4tr.png data:image/png;base64,NAMED']),
    );
    expect(toDataURL).toHaveBeenLastCalledWith(url, { ...options, width: 1200 });
    expect(drawn).toEqual(['Sangeet']);
  });

  it('copies the link and says so [EVT086]', async () => {
    const user = userEvent.setup();
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    dialog();
    await screen.findByRole('img', { name: 'QR code of the event URL' });
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('URL copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://localhost:8080/event/sangeet-k7m2x9q4tr');
  });

  it.each([
    ['Sangeet', ['Sangeet']],
    ['Aanya & Rohan at the lake', ['Aanya &', 'Rohan at', 'the lake']],
    ['A wedding with very many guests', ['A wedding', 'with very', 'many…']],
    ['Superlongwordwithoutspaces', ['Superlongw', 'ordwithout', 'spaces']],
  ])('breaks the name %s into at most three lines [EVT086]', (name, lines) => {
    expect(wrapText(name, (line) => line.length <= 10, 3)).toEqual(lines);
  });

  it('encodes the public URL of the server, not the origin of the page', async () => {
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    dialog({ public_url: 'https://photos.studio.example' });
    const url = 'https://photos.studio.example/event/sangeet-k7m2x9q4tr';
    expect(await screen.findByText(url)).toBeVisible();
    await screen.findByRole('img', { name: 'QR code of the event URL' });
    expect(toDataURL.mock.calls.map(([text]) => text as string)).toEqual([url]);
  });

  it('encodes the address of the studio where it has one [BRAND052]', async () => {
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    mockServer({ 'GET /api/site': () => json({ public_url: 'https://photos.studio.example' }) });
    const own = { ...event, guest_url: 'https://bilder.red-fort.example' };
    renderScreen(<QrCodeDialog event={own} open onClose={() => undefined} />);
    const url = 'https://bilder.red-fort.example/event/sangeet-k7m2x9q4tr';
    expect(await screen.findByText(url)).toBeVisible();
    await screen.findByRole('img', { name: 'QR code of the event URL' });
    expect(toDataURL.mock.calls.map(([text]) => text as string)).toEqual([url]);
  });

  it('can be shared where the browser supports it', async () => {
    toDataURL.mockResolvedValue('data:image/png;base64,AA==');
    dialog();
    await screen.findByRole('img', { name: 'QR code of the event URL' });
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
    const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')));
    Object.assign(navigator, { share });
    cleanup();
    dialog();
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    Reflect.deleteProperty(navigator, 'share');
    const url = 'http://localhost:8080/event/sangeet-k7m2x9q4tr';
    expect(share).toHaveBeenCalledWith({ title: 'Sangeet', url });
  });

  it('shows an error when it cannot be rendered [EVT048]', async () => {
    toDataURL.mockRejectedValue(new Error('no'));
    dialog();
    expect(await screen.findByText('QR Code Generation Failed')).toBeVisible();
  });
});
