import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UploadOutcome } from '../../shared/api/upload';
import type { ConnectionSpeed, QueueItem } from './queue';
import { createUploader, type UploaderPorts } from './uploader';

const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const accepted = { kind: 'accepted', duplicate: false, photo: {} } as UploadOutcome;

/** Mock ports whose `send` stays pending until the test settles it. */
function mockPorts(overrides: Partial<UploaderPorts> = {}) {
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
    look: vi.fn((): ReturnType<UploaderPorts['look']> => Promise.resolve('stored')),
    reached: vi.fn(() => Promise.resolve()),
    measure: vi.fn((): Promise<ConnectionSpeed> => Promise.resolve('fast')),
    ...overrides,
  };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

describe('the uploader', () => {
  it('measures, then starts by itself, three at a time [UPL032] [UPL038] [UPL049] (U54)', async () => {
    const world = mockPorts();
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

  it('takes up what is added meanwhile [UPL033]', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    uploader.add([file('b')], 'e1');
    expect([...world.sending.keys()]).toEqual(['a', 'b']);
    expect(world.measure).toHaveBeenCalledOnce();
  });

  it('reports progress [UPL058]', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    world.sending.get('a')?.progress(0.5);
    expect(uploader.read().items[0]?.progress).toBe(50);
  });

  it('searches 2 s after an unclear end, not before [UPL023] [CONST010]', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    world.sending.get('a')?.settle({ kind: 'unknown' });
    await vi.advanceTimersByTimeAsync(1999);
    expect(uploader.read().items[0]?.status).toBe('verifying');
    expect(world.look).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(uploader.read().items[0]).toMatchObject({ status: 'success', verified: true });
  });

  it('waits when nobody can be asked, sends nothing meanwhile, then asks again', async () => {
    let found: () => void = () => undefined;
    const answers: Awaited<ReturnType<UploaderPorts['look']>>[] = ['unreachable', 'missing'];
    const world = mockPorts({
      look: () => Promise.resolve(answers.shift() ?? 'stored'),
      reached: () => new Promise((resolve) => (found = resolve)),
    });
    const uploader = createUploader(world);
    uploader.add(['a', 'b', 'c', 'd'].map(file), 'e1');
    await settled();
    world.sending.get('a')?.settle({ kind: 'unknown' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(uploader.read()).toMatchObject({ lost: true });
    expect(uploader.read().items[0]?.status).toBe('verifying');
    world.sending.get('b')?.settle(accepted);
    await settled();
    expect(world.sending.has('d')).toBe(false);
    found();
    await settled();
    expect(uploader.read()).toMatchObject({ lost: false });
    expect(uploader.read().items[0]?.status).toBe('error');
    expect(world.sending.has('d')).toBe(true);
  });

  it('takes 5,000 files in chunks, and stops taking them when it is cleared', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    const many = Array.from({ length: 5000 }, (_, index) => file(`${index}`));
    uploader.add(many, 'e1');
    await settled();
    expect(uploader.read().items.length).toBeLessThan(5000);
    await vi.runAllTimersAsync();
    expect(uploader.read().items).toHaveLength(5000);
    uploader.clear();
    uploader.add(many, 'e1');
    await settled();
    uploader.clear();
    await vi.runAllTimersAsync();
    expect(uploader.read().items).toHaveLength(0);
  });

  it('reports what transfers do at most every 100 ms, and what is asked of it at once', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    uploader.add([file('a')], 'e1');
    await settled();
    const heard = vi.fn();
    uploader.subscribe(heard);
    for (let step = 1; step <= 50; step += 1) world.sending.get('a')?.progress(step / 100);
    expect(heard).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(heard).toHaveBeenCalledOnce();
    uploader.pause();
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('tells once when a batch is over', async () => {
    const world = mockPorts();
    const uploader = createUploader(world);
    const heard = vi.fn();
    uploader.onFinished(heard);
    uploader.add([file('a'), file('b')], 'e1');
    await settled();
    world.sending.get('a')?.settle(accepted);
    world.sending.get('b')?.settle({ kind: 'rejected', status: 500, error: undefined });
    await settled();
    expect(heard).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledWith(expect.objectContaining({ completed: 1, failed: 1 }));
  });

  it('aborts what is on its way when it is cleared or removed (U52)', async () => {
    const world = mockPorts();
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
    const world = mockPorts();
    const uploader = createUploader(world);
    uploader.pause();
    uploader.add([file('a')], 'e1');
    await settled();
    expect(world.send).not.toHaveBeenCalled();
    uploader.resume();
    expect(world.send).toHaveBeenCalledOnce();
    world.sending.get('a')?.settle({ kind: 'rejected', status: 500, error: undefined });
    await settled();
    uploader.retry();
    expect(world.send).toHaveBeenCalledTimes(2);
  });
});
