import { describe, expect, it } from 'vitest';
import type { UploadOutcome } from '../../shared/api/upload';
import {
  advance,
  emptyQueue,
  isFinished,
  isUploading,
  modeFor,
  nextToSend,
  type Queue,
  type QueueEvent,
  rowsToShow,
  tally,
} from './queue';

const sized = (name: string, size: number) => {
  const file = new File([], name, { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: size });
  return file;
};

const run = (queue: Queue, ...events: QueueEvent[]) => events.reduce(advance, queue);

const enqueued = (count: number, size = 1000): QueueEvent => ({
  kind: 'enqueued',
  eventId: 'e1',
  files: Array.from({ length: count }, (_, index) => ({
    id: `i${index + 1}`,
    file: sized(`DSC_000${index + 1}.jpg`, size),
  })),
});
const answered = (id: string, outcome: UploadOutcome): QueueEvent => ({ kind: 'answered', id, outcome });
const refused = (status: number, error?: string): UploadOutcome => ({ kind: 'rejected', status, error });
const accepted = (duplicate = false) => ({ kind: 'accepted', duplicate, photo: {} }) as UploadOutcome;
const item = (queue: Queue, id: string) => queue.items.find((each) => each.id === id);

describe('the upload queue', () => {
  it('takes files up as pending items with id, file, filename and event [UPL011] [UPL012] [UPL017]', () => {
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

  it('goes through uploading with its progress to success [UPL014] [UPL015] [UPL018] [UPL019]', () => {
    let queue = run(emptyQueue, enqueued(1), { kind: 'started', ids: ['i1'] });
    expect(item(queue, 'i1')?.status).toBe('uploading');
    queue = run(queue, { kind: 'progressed', id: 'i1', fraction: 0.724 });
    expect(item(queue, 'i1')).toMatchObject({ progress: 72, sent: 724 });
    queue = run(queue, { kind: 'progressed', id: 'i1', fraction: 7 });
    expect(item(queue, 'i1')?.progress).toBe(100);
    queue = run(queue, answered('i1', accepted()));
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', progress: 100, verified: false });
  });

  it('verifies what nobody can say, and believes what is found [UPL020] [UPL024] [UPL025]', () => {
    let queue = run(
      emptyQueue,
      enqueued(1),
      { kind: 'started', ids: ['i1'] },
      answered('i1', { kind: 'unknown' }),
    );
    expect(item(queue, 'i1')?.status).toBe('verifying');
    queue = run(queue, { kind: 'verified', id: 'i1', found: true });
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', verified: true });
  });

  it('calls what is not found an error [UPL026]', () => {
    const queue = run(
      emptyQueue,
      enqueued(1),
      { kind: 'started', ids: ['i1'] },
      answered('i1', { kind: 'unknown' }),
      { kind: 'verified', id: 'i1', found: false },
    );
    expect(item(queue, 'i1')).toMatchObject({
      status: 'error',
      error:
        'Upload timed out and could not be verified. Please check if the photo was uploaded successfully.',
    });
  });

  it('makes any other failure an error with the text of the server or its default [UPL029] [UPL030] [UPL031]', () => {
    for (const status of [400, 402, 409, 413, 500]) {
      const queue = run(emptyQueue, enqueued(1), answered('i1', refused(status, 'because')));
      expect(item(queue, 'i1')).toMatchObject({ status: 'error', error: 'because' });
    }
    const queue = run(emptyQueue, enqueued(1), answered('i1', refused(500)));
    expect(item(queue, 'i1')?.error).toBe('Upload failed');
  });

  it('sends one at a time when the connection is slow or the total exceeds 30 MB [UPL034] [UPL035] [UPL036] [CONST007]', () => {
    expect(modeFor('slow', 1)).toBe('single');
    expect(modeFor('fast', 31_457_281)).toBe('single');
    const queue = run(emptyQueue, enqueued(5, 20_000_000));
    expect(queue.mode).toBe('single');
    expect(nextToSend(queue).map(({ id }) => id)).toEqual(['i1']);
    expect(nextToSend(run(queue, { kind: 'started', ids: ['i1'] }))).toEqual([]);
  });

  it('sends 3 at a time otherwise [UPL037] [UPL038] [UPL039] [CONST008]', () => {
    for (const speed of ['unknown', 'fast', 'medium'] as const) {
      expect(modeFor(speed, 31_457_280)).toBe('parallel');
    }
    let queue = run(emptyQueue, enqueued(5));
    expect(nextToSend(queue).map(({ id }) => id)).toEqual(['i1', 'i2', 'i3']);
    queue = run(queue, { kind: 'started', ids: ['i1', 'i2', 'i3'] }, answered('i2', { kind: 'unknown' }));
    expect(nextToSend(queue)).toEqual([]);
    queue = run(queue, answered('i1', accepted()));
    expect(nextToSend(queue).map(({ id }) => id)).toEqual(['i4']);
  });

  it('counts completed, failed, running and waiting, and the overall progress [UPL042]', () => {
    const queue = run(
      emptyQueue,
      enqueued(8),
      { kind: 'started', ids: ['i1', 'i2', 'i3'] },
      answered('i1', accepted()),
      answered('i2', refused(500)),
      { kind: 'progressed', id: 'i3', fraction: 0.5 },
    );
    expect(tally(queue)).toMatchObject({
      total: 8,
      completed: 1,
      failed: 1,
      running: 1,
      waiting: 5,
      percent: 25,
      bytesDone: 2500,
      bytesTotal: 8000,
    });
    expect(tally(emptyQueue).percent).toBe(0);
  });

  it('says when leaving would lose something, and when a batch is over', () => {
    const queue = run(emptyQueue, enqueued(1));
    expect(isUploading(queue)).toBe(true);
    const done = run(queue, answered('i1', accepted()));
    expect(isUploading(done)).toBe(false);
    expect(isFinished(done)).toBe(true);
    expect(isFinished(emptyQueue)).toBe(false);
  });

  it('stops at 402 and goes on when told to', () => {
    let queue = run(
      emptyQueue,
      enqueued(4),
      { kind: 'started', ids: ['i1', 'i2', 'i3'] },
      answered('i1', refused(402, 'Insufficient credits. Please add credits to continue uploading.')),
      answered('i2', accepted()),
    );
    expect(queue.outOfCredit).toBe(true);
    expect(nextToSend(queue)).toEqual([]);
    queue = run(queue, { kind: 'retried' });
    expect(nextToSend(queue).map(({ id }) => id)).toEqual(['i1', 'i4']);
  });

  it('pauses, resumes, forgets one and forgets all [UPL043]', () => {
    let queue = run(emptyQueue, enqueued(3), { kind: 'paused' });
    expect(nextToSend(queue)).toEqual([]);
    queue = run(queue, { kind: 'resumed' }, { kind: 'removed', id: 'i2' });
    expect(nextToSend(queue).map(({ id }) => id)).toEqual(['i1', 'i3']);
    expect(run(queue, { kind: 'measured', speed: 'slow' }, { kind: 'cleared' })).toEqual({
      ...emptyQueue,
      speed: 'slow',
    });
  });

  it('remembers what was there already (U56)', () => {
    const queue = run(emptyQueue, enqueued(1), answered('i1', accepted(true)));
    expect(item(queue, 'i1')).toMatchObject({ status: 'success', duplicate: true });
    expect(tally(queue).duplicates).toBe(1);
  });

  it('starts a new batch over what is done, keeping what failed', () => {
    const queue = run(emptyQueue, enqueued(2), answered('i1', accepted()), answered('i2', refused(500)), {
      kind: 'enqueued',
      eventId: 'e1',
      files: [{ id: 'n1', file: sized('new.jpg', 5) }],
    });
    expect(queue.items.map(({ id }) => id)).toEqual(['i2', 'n1']);
  });

  it('lists running first, then waiting, then done, and failures not at all', () => {
    const queue = run(emptyQueue, enqueued(4), answered('i1', accepted()), answered('i2', refused(500)), {
      kind: 'started',
      ids: ['i4'],
    });
    expect(rowsToShow(queue).map(({ id }) => id)).toEqual(['i4', 'i3', 'i1']);
  });
});
