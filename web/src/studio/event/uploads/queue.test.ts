import { describe, expect, it } from 'vitest';
import type { UploadOutcome } from '../../../platform/api/upload';
import {
  emptyQueue,
  isFinished,
  isUploading,
  itemsToStart,
  type Queue,
  type QueueAction,
  queueReducer,
  uploadModeFor,
} from './queue';
import { queueStats, visibleItems } from './queueStats';

const sized = (name: string, size: number) => {
  const file = new File([], name, { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};

const run = (queue: Queue, ...events: QueueAction[]) => events.reduce(queueReducer, queue);

const enqueued = (count: number, size = 1000): QueueAction => ({
  kind: 'enqueued',
  eventId: 'e1',
  files: Array.from({ length: count }, (_, index) => ({
    id: `i${index + 1}`,
    file: sized(`DSC_000${index + 1}.jpg`, size),
  })),
});
const settled = (id: string, outcome: UploadOutcome): QueueAction => ({ kind: 'settled', id, outcome });
const rejected = (status: number, error?: string): UploadOutcome => ({ kind: 'rejected', status, error });
const accepted = (duplicate = false) => ({ kind: 'accepted', duplicate, photo: {} }) as UploadOutcome;
const item = (queue: Queue, id: string) => queue.items.find((each) => each.id === id);

describe('the upload queue', () => {
  it('adds files as pending items with id, file, filename and event [UPL011] [UPL012] [UPL017]', () => {
    const queue = run(emptyQueue, enqueued(2));
    expect(queue.items[0]).toMatchObject({
      id: 'i1',
      filename: 'DSC_0001.jpg',
      eventId: 'e1',
      status: 'pending',
      progress: 0,
      error: null,
      verified: false,
    });
    expect(queue.items[0]?.file).toBeInstanceOf(File);
  });

  it('changes from uploading with its progress to success [UPL014] [UPL015] [UPL018] [UPL019]', () => {
    let queue = run(emptyQueue, enqueued(1), { kind: 'started', ids: ['i1'] });
    expect(item(queue, 'i1')?.status).toBe('uploading');
    queue = run(queue, { kind: 'progressed', id: 'i1', fraction: 0.724 });
    expect(item(queue, 'i1')).toMatchObject({ progress: 72, sent: 724 });
    queue = run(queue, { kind: 'progressed', id: 'i1', fraction: 7 });
    expect(item(queue, 'i1')?.progress).toBe(100);
    queue = run(queue, settled('i1', accepted()));
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', progress: 100, verified: false });
  });

  it('verifies an unknown outcome, and succeeds if the photo is found [UPL020] [UPL024] [UPL025]', () => {
    let queue = run(
      emptyQueue,
      enqueued(1),
      { kind: 'started', ids: ['i1'] },
      settled('i1', { kind: 'unknown' }),
    );
    expect(item(queue, 'i1')?.status).toBe('verifying');
    queue = run(queue, { kind: 'verified', id: 'i1', found: true });
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', verified: true });
  });

  it('fails if the photo is not found [UPL026]', () => {
    const queue = run(
      emptyQueue,
      enqueued(1),
      { kind: 'started', ids: ['i1'] },
      settled('i1', { kind: 'unknown' }),
      { kind: 'verified', id: 'i1', found: false },
    );
    expect(item(queue, 'i1')).toMatchObject({
      status: 'error',
      error:
        'Upload timed out and could not be verified. Please check if the photo was uploaded successfully.',
    });
  });

  it('fails otherwise with the message of the server or the default [UPL029] [UPL030] [UPL031]', () => {
    for (const status of [400, 402, 409, 413, 500]) {
      const queue = run(emptyQueue, enqueued(1), settled('i1', rejected(status, 'because')));
      expect(item(queue, 'i1')).toMatchObject({ status: 'error', error: 'because' });
    }
    const queue = run(emptyQueue, enqueued(1), settled('i1', rejected(500)));
    expect(item(queue, 'i1')?.error).toBe('Upload failed');
  });

  it('uploads one at a time when the connection is slow or the total exceeds 30 MB [UPL034] [UPL035] [UPL036] [CONST007]', () => {
    expect(uploadModeFor('slow', 1)).toBe('single');
    expect(uploadModeFor('fast', 31_457_281)).toBe('single');
    const queue = run(emptyQueue, enqueued(5, 20_000_000));
    expect(queue.mode).toBe('single');
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i1']);
    expect(itemsToStart(run(queue, { kind: 'started', ids: ['i1'] }))).toEqual([]);
  });

  it('uploads 3 at a time otherwise [UPL037] [UPL038] [UPL039] [CONST008]', () => {
    for (const speed of ['unknown', 'fast', 'medium'] as const) {
      expect(uploadModeFor(speed, 31_457_280)).toBe('parallel');
    }
    let queue = run(emptyQueue, enqueued(5));
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i1', 'i2', 'i3']);
    queue = run(queue, { kind: 'started', ids: ['i1', 'i2', 'i3'] }, settled('i2', { kind: 'unknown' }));
    expect(itemsToStart(queue)).toEqual([]);
    queue = run(queue, settled('i1', accepted()));
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i4']);
  });

  it('uploads one at a time once the line has failed one of three, and one more with each that arrives', () => {
    let queue = run(emptyQueue, enqueued(8), { kind: 'started', ids: ['i1', 'i2', 'i3'] });
    queue = run(queue, settled('i1', { kind: 'cut', reached: true, moved: true }));
    expect(item(queue, 'i1')).toMatchObject({ status: 'error', failure: 'connection', attempts: 1 });
    expect(itemsToStart(queue)).toEqual([]);
    queue = run(queue, settled('i2', accepted()));
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i4']);
    queue = run(queue, { kind: 'started', ids: ['i4'] }, settled('i3', accepted()));
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i5', 'i6']);
    for (const id of ['i4', 'i5', 'i6', 'i7']) queue = run(queue, settled(id, rejected(503)));
    expect(itemsToStart(run(queue, { kind: 'holdEnded' })).map(({ id }) => id)).toEqual(['i8']);
  });

  it('does not count a cut that let bytes through as another failure in a row', () => {
    const cut = (moved: boolean) => settled('i1', { kind: 'cut', reached: true, moved });
    let queue = run(emptyQueue, enqueued(1), cut(false), cut(false));
    expect(item(queue, 'i1')?.attempts).toBe(2);
    queue = run(queue, cut(true), cut(true), cut(true));
    expect(item(queue, 'i1')?.attempts).toBe(1);
    expect(queue).toMatchObject({ failuresInRow: 1, held: false });
  });

  it('counts completed, failed, running and waiting, and the overall progress [UPL042]', () => {
    const queue = run(
      emptyQueue,
      enqueued(8),
      { kind: 'started', ids: ['i1', 'i2', 'i3'] },
      settled('i1', accepted()),
      settled('i2', rejected(500)),
      { kind: 'progressed', id: 'i3', fraction: 0.5 },
    );
    expect(queueStats(queue)).toMatchObject({
      total: 8,
      completed: 1,
      failed: 1,
      running: 1,
      waiting: 5,
      percent: 25,
      bytesUploaded: 1500,
      bytesTotal: 8000,
    });
    expect(queueStats(emptyQueue).percent).toBe(0);
  });

  it('counts bytes, and reaches 100 % only when every photo is uploaded', () => {
    const files = [
      { id: 'big', file: sized('big.jpg', 9000) },
      { id: 'small', file: sized('small.jpg', 1000) },
    ];
    let queue = run(
      emptyQueue,
      { kind: 'enqueued', eventId: 'e1', files },
      { kind: 'started', ids: ['big', 'small'] },
      settled('small', accepted()),
    );
    expect(queueStats(queue)).toMatchObject({ percentUploaded: 10, bytesUploaded: 1000, bytesLeft: 9000 });
    queue = run(queue, { kind: 'progressed', id: 'big', fraction: 0.5 });
    expect(queueStats(queue)).toMatchObject({ percentUploaded: 55, bytesUploaded: 5500, bytesLeft: 4500 });
    queue = run(queue, { kind: 'progressed', id: 'big', fraction: 1 });
    expect(queueStats(queue).percentUploaded).toBe(99);
    const failed = queueStats(run(queue, settled('big', rejected(400))));
    expect(failed).toMatchObject({ percent: 100, percentUploaded: 10, bytesUploaded: 1000, bytesLeft: 0 });
    expect(queueStats(run(queue, settled('big', accepted()))).percentUploaded).toBe(100);
  });

  it('refuses an empty file without sending it', () => {
    const queue = run(emptyQueue, {
      kind: 'enqueued',
      eventId: 'e1',
      files: [{ id: 'i1', file: sized('a.jpg', 0) }],
    });
    expect(item(queue, 'i1')).toMatchObject({
      status: 'error',
      failure: 'photo',
      error: 'This file is empty (0 bytes). Copy it from the card again.',
    });
  });

  it('tells whether items are unfinished and whether the batch is finished', () => {
    const queue = run(emptyQueue, enqueued(1));
    expect(isUploading(queue)).toBe(true);
    const done = run(queue, settled('i1', accepted()));
    expect(isUploading(done)).toBe(false);
    expect(isFinished(done)).toBe(true);
    expect(isFinished(emptyQueue)).toBe(false);
  });

  it('stops at 402 and resumes on retry', () => {
    let queue = run(
      emptyQueue,
      enqueued(4),
      { kind: 'started', ids: ['i1', 'i2', 'i3'] },
      settled('i1', rejected(402, 'Insufficient credits. Please add credits to continue uploading.')),
      settled('i2', accepted()),
    );
    expect(queue.outOfCredit).toBe(true);
    expect(itemsToStart(queue)).toEqual([]);
    queue = run(queue, { kind: 'retried' });
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i1', 'i4']);
  });

  it('pauses, resumes, removes one and clears all [UPL043]', () => {
    let queue = run(emptyQueue, enqueued(3), { kind: 'paused' });
    expect(itemsToStart(queue)).toEqual([]);
    queue = run(queue, { kind: 'resumed' }, { kind: 'removed', id: 'i2' });
    expect(itemsToStart(queue).map(({ id }) => id)).toEqual(['i1', 'i3']);
    expect(run(queue, { kind: 'measured', speed: 'slow' }, { kind: 'cleared' })).toEqual({
      ...emptyQueue,
      speed: 'slow',
    });
  });

  it('marks duplicates (U56)', () => {
    const queue = run(emptyQueue, enqueued(1), settled('i1', accepted(true)));
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', duplicate: true });
    expect(queueStats(queue).duplicates).toBe(1);
  });

  it('replaces a finished batch by the next one, keeping failed items', () => {
    const queue = run(emptyQueue, enqueued(2), settled('i1', accepted()), settled('i2', rejected(500)), {
      kind: 'enqueued',
      eventId: 'e1',
      files: [{ id: 'n1', file: sized('new.jpg', 5) }],
    });
    expect(queue.items.map(({ id }) => id)).toEqual(['i2', 'n1']);
  });

  it('lists running first, then waiting, then done, and failures not at all', () => {
    const queue = run(emptyQueue, enqueued(4), settled('i1', accepted()), settled('i2', rejected(500)), {
      kind: 'started',
      ids: ['i4'],
    });
    expect(visibleItems(queue).map(({ id }) => id)).toEqual(['i4', 'i3', 'i1']);
  });
});
