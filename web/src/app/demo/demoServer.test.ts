import { expect, it } from 'vitest';
import { createDemoServer } from './demoServer';
import { sampleData } from './sampleData';

const ask = async (path: string, init?: RequestInit) => {
  const { transport } = createDemoServer(sampleData(Date.now()));
  const response = await transport(new Request(new URL(path, 'https://photos.example'), init));
  return { status: response.status, body: (await response.json()) as unknown };
};

it.each([
  ['wall', { wall: null }],
  ['selections', { selections: [] }],
  ['guest-photos', { photos: [], price: 1 }],
  ['pin', { pin: null }],
  ['albums', { albums: [] }],
])('answers what screens of the sample event ask: %s', async (part, body) => {
  expect(await ask(`/api/events/sample/${part}`)).toEqual({ status: 200, body });
});

it('lets what guests see be changed', async () => {
  const body = JSON.stringify({ publication: 'complete' });
  expect(await ask('/api/events/sample/publication', { method: 'PUT', body })).toMatchObject({
    status: 200,
    body: { id: 'sample', publication: 'complete' },
  });
});

it('refuses what it does not have', async () => {
  expect(await ask('/api/events/sample/anything')).toMatchObject({ status: 403 });
});
