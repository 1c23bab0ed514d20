import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../shared/api/upload';
import type { ConnectionSpeed, QueueItem } from './queue';
import { createUploader, type UploaderPorts } from './uploader';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;

/** Ports whose sending waits until the test settles it. */
function ports(over: Partial<UploaderPorts> = {}) {
  const sending = new Map<
    string,
    { settle: (outcome: UploadOutcome) => void; progress: (f: number) => void; signal: AbortSignal }
  >();
  return {
    sending,
    send: vi.fn(
      (item: QueueItem, progress: (fraction: number) => void, signal: AbortSignal) =>
        new Promise<UploadOutcome>((settle) => sending.set(item.filename, { settle, progress, signal })),
    ),
    isStored: vi.fn(() => Promise.resolve(true)),
    measure: vi.fn((): Promise<ConnectionSpeed> => Promise.resolve('fast')),
    ...over,
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('the uploader', () => {
  it('measures, then starts by itself, three at a time [UPL032] [UPL038] (U54)', async () => {
    const world = ports();
    const uploader = createUploader(world);
    expect(uploader.read().speed).toBe('unknown');
    uploader.add(['a', 'b', 'c', 'd'].map(file), 'e1');
    await settled();
    expect(world.measure).toHaveBeenCalledOnce();
    expect([...world.sending.keys()]).toEqual(['a', 'b', 'c']);
    world.sending.get('b')?.settle(accepted);
    await settled();
    expect([...world.sending.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes up what is added meanwhile [UPL033] [UPL049]', async () => {
    const world = ports();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    uploader.add([file('b')], 'e1');
    expect([...world.sending.keys()]).toEqual(['a', 'b']);
    expect(world.measure).toHaveBeenCalledOnce();
  });

  it('reports progress [UPL058]', async () => {
    const world = ports();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    world.sending.get('a')?.progress(0.5);
    expect(uploader.read().items[0]?.progress).toBe(50);
  });

  it('searches 2 s after an unclear end, not before [UPL023] [CONST010]', async () => {
    const world = ports();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    world.sending.get('a')?.settle({ kind: 'unclear' });
    await vi.advanceTimersByTimeAsync(1999);
    expect(uploader.read().items[0]?.status).toBe('verifying');
    expect(world.isStored).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(uploader.read().items[0]).toMatchObject({ status: 'success', verified: true });
  });

  it('counts a search that fails as not found', async () => {
    const world = ports({ isStored: () => Promise.reject(new Error('offline')) });
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    world.sending.get('a')?.settle({ kind: 'unclear' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(uploader.read().items[0]?.status).toBe('error');
  });

  it('tells once when a batch is over', async () => {
    const world = ports();
    const uploader = createUploader(world);
    const heard = vi.fn();
    uploader.onFinished(heard);
    uploader.add([file('a'), file('b')], 'e1');
    await settled();
    world.sending.get('a')?.settle(accepted);
    world.sending.get('b')?.settle({ kind: 'refused', status: 500, error: undefined });
    await settled();
    expect(heard).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledWith(expect.objectContaining({ completed: 1, failed: 1 }));
  });

  it('aborts what is on its way when it is cleared or removed (U52)', async () => {
    const world = ports();
    const uploader = createUploader(world);
    const heard = vi.fn();
    uploader.onFinished(heard);
    uploader.add(['a', 'b'].map(file), 'e1');
    await settled();
    const [first] = uploader.read().items;
    uploader.remove(first?.id ?? '');
    expect(world.sending.get('a')?.signal.aborted).toBe(true);
    uploader.clear();
    expect(world.sending.get('b')?.signal.aborted).toBe(true);
    expect(uploader.read().items).toEqual([]);
    world.sending.get('b')?.settle(accepted);
    await settled();
    expect(uploader.read().items).toEqual([]);
    expect(heard).not.toHaveBeenCalled();
  });

  it('sends nothing while paused, and again what failed', async () => {
    const world = ports();
    const uploader = createUploader(world);
    uploader.pause();
    uploader.add([file('a')], 'e1');
    await settled();
    expect(world.send).not.toHaveBeenCalled();
    uploader.resume();
    expect(world.send).toHaveBeenCalledOnce();
    world.sending.get('a')?.settle({ kind: 'refused', status: 500, error: undefined });
    await settled();
    uploader.retry();
    expect(world.send).toHaveBeenCalledTimes(2);
  });
});
