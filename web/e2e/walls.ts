import { type APIRequestContext, expect } from '@playwright/test';
import { type Event, type Photographer } from './accounts';
import { emptyPicture } from './pictures';
import { type Server } from './server';

/** What a test does to a wall as its photographer. */
export class WallOwner {
  private uploaded = 100;
  private readonly server: Server;
  private readonly request: APIRequestContext;
  private readonly photographer: Photographer;
  private readonly event: Event;

  constructor(server: Server, request: APIRequestContext, photographer: Photographer, event: Event) {
    this.server = server;
    this.request = request;
    this.photographer = photographer;
    this.event = event;
  }

  private async call(method: string, path: string, options: object = {}): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.photographer.token}` };
    const answer = await this.request.fetch(`${this.server.url}${path}`, { method, headers, ...options });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  }

  /** Makes the wall; resolves to its address. */
  async make(): Promise<string> {
    const answer = await this.call('PUT', `/api/events/${this.event.id}/wall`, { data: {} });
    return (answer as { wall: { url: string } }).wall.url;
  }

  end(): Promise<unknown> {
    return this.call('DELETE', `/api/events/${this.event.id}/wall`);
  }

  /** Uploads a photo; resolves to its id. */
  async upload(): Promise<string> {
    this.uploaded += 1;
    const buffer = emptyPicture(this.uploaded, 320);
    const photos = { name: `new-${this.uploaded}.png`, mimeType: 'image/png', buffer };
    const multipart = { photos, event_id: this.event.id };
    return ((await this.call('POST', '/api/photos/upload', { multipart })) as { id: string }).id;
  }

  /** Deletes a photo, which is what a wall learns of one that is hidden as well: that it is not in the list. */
  remove(photo: string): Promise<unknown> {
    return this.call('DELETE', `/api/photos/${photo}`);
  }
}

/** The photo on a wall that is in front, once it is loaded; null while there is none. Runs in the page. */
export function shownOnWall(): string | null {
  const layers = [].slice.call(document.querySelectorAll('.layer.on')) as HTMLElement[];
  const front = layers.filter((layer) => layer.style.zIndex === '1')[0];
  const image = front && front.querySelector('img');
  if (!image || !image.complete || image.naturalWidth === 0) return null;
  return /photos\/([^/?]+)$/.exec(image.src)?.[1] ?? null;
}

/** Whether the wall says that it has ended, and asks for nothing that is shown. Runs in the page. */
export function wallHasEnded(): boolean {
  const ended = document.getElementById('ended');
  return ended !== null && !ended.hidden && ended.offsetHeight > 0 && document.querySelector('.layer.on') === null;
}

/** Makes the wall run 20 times as fast, as the page reads it before it starts. Runs in the page. */
export function hurry(): void {
  Object.assign(window, { afterglowWallSpeed: 20 });
}
