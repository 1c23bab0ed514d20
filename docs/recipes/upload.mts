// Uploads a photo to an event, and waits until guests can find it.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const { AFTERGLOW_SERVER: server, AFTERGLOW_TOKEN: token } = process.env;
const [name = '', photo = ''] = process.argv.slice(2);

async function call<Answer>(path: string, body?: FormData): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${server}${path}`, body ? { method: 'POST', headers, body } : { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const events = await call<{ id: string; name: string }[]>('/api/events/');
const event = events.find((each) => each.name === name);
if (!event) throw new Error(`There is no event ${name}`);
const form = new FormData();
form.set('event_id', event.id);
form.set('photos', await openAsBlob(photo), basename(photo));
const { id } = await call<{ id: string }>('/api/photos/upload', form);
const state = () => call<{ status: string; faces: number }>(`/api/photos/${id}/status`);
let now = await state();
for (; now.status === 'processing'; now = await state()) await setTimeout(1000);
console.log(`${basename(photo)}: ${now.status}, ${now.faces} faces`);
