import { describe, expect, test, vi } from 'vitest';
import { cameraFailureOf, captureFrame, detailOf, lightingHint, mostFrames, openCamera } from './camera';
import { cameraFailureText } from './cameraFailures';

/** A stream of the frames; each is named by how far apart the brightness of its columns is. None follows the last. */
function streamOf(frames: number[], { width = 640, height = 480 } = {}) {
  const video = document.createElement('video');
  Object.defineProperties(video, { videoWidth: { value: width }, videoHeight: { value: height } });
  let shown = 0;
  const cancelled = vi.fn();
  Object.assign(video, {
    requestVideoFrameCallback: (done: () => void) => {
      if (shown + 1 < frames.length) {
        shown += 1;
        setTimeout(done);
      }
      return 1;
    },
    cancelVideoFrameCallback: cancelled,
  });
  const drawn = new Map<HTMLCanvasElement, { frame: number; at: number[] }>();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    // A context without transforms: a capture that mirrors would throw.
    return {
      canvas: this,
      drawImage: (_: unknown, ...at: number[]) => drawn.set(this, { frame: frames[shown] ?? 0, at }),
      getImageData: (x: number, y: number, across: number, down: number) => {
        expect([x, y]).toEqual([0, 0]);
        const { frame } = drawn.get(this) ?? { frame: 0 };
        const data = Uint8ClampedArray.from(
          { length: 4 * across * down },
          (__, at) => ((at >> 2) % 2) * frame,
        );
        return { data, width: across, height: down };
      },
    } as never;
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    done,
  ) {
    const photo = new Blob();
    photos.set(photo, { ...drawn.get(this), width: this.width });
    done(photo);
  });
  return { video, cancelled, shown: () => frames[shown] };
}

/** What was on the canvas of a photo. */
const photos = new WeakMap<Blob, object>();

const captured = async (video: HTMLVideoElement) => photos.get(await captureFrame(video));

describe('the camera', () => {
  test('[FACE069] is the front camera, without sound', async () => {
    const getUserMedia = vi.fn(() => Promise.resolve({}));
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
    await openCamera('user');
    expect(getUserMedia).toHaveBeenCalledWith(
      expect.objectContaining({
        audio: false,
        video: expect.objectContaining({ facingMode: 'user' }) as object,
      }),
    );
  });

  test('[FACE072] captures the frame whole, without mirroring it', async () => {
    expect(await captured(streamOf([7]).video)).toEqual({ frame: 7, at: [0, 0], width: 640 });
  });

  test('captures the sharpest of a few frames', async () => {
    const { video, shown } = streamOf([20, 30, 90, 40, 50, 200]);
    expect(await captured(video)).toMatchObject({ frame: 90 });
    expect(mostFrames).toBe(5);
    expect(shown()).toBe(50);
  });

  test('a stream that ends meanwhile leaves the frames it had', async () => {
    const { video, cancelled } = streamOf([20, 60]);
    expect(await captured(video)).toMatchObject({ frame: 60 });
    expect(cancelled).toHaveBeenCalledOnce();
  });

  test('captures where the browser does not tell of frames', async () => {
    const { video } = streamOf([20]);
    delete (video as Partial<HTMLVideoElement>).requestVideoFrameCallback;
    expect(await captured(video)).toMatchObject({ frame: 20 });
  });

  test('a blurred edge has less detail than a sharp one', () => {
    const edge = (steps: number[]) => {
      const row = [0, 0, ...steps, 200, 200];
      const data = Uint8ClampedArray.from(
        { length: 4 * row.length * 5 },
        (_, at) => row[(at >> 2) % row.length] ?? 0,
      );
      return detailOf({ data, width: row.length, height: 5 } as ImageData);
    };
    expect(edge([0, 200])).toBeGreaterThan(2 * edge([70, 130]));
    expect(edge([0, 0])).toBeGreaterThan(0);
    expect(detailOf({ data: new Uint8ClampedArray(4 * 25).fill(9), width: 5, height: 5 } as ImageData)).toBe(
      0,
    );
  });

  test.each([
    ['no frame', 0],
    ['no canvas', 640],
  ])('[FACE031] a capture with %s fails with its message', async (_, width) => {
    const { video } = streamOf([7], { width, height: width });
    if (width > 0) vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    await expect(captureFrame(video)).rejects.toThrow(
      'Failed to capture image from webcam. Make sure webcam is enabled.',
    );
  });

  test.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'notFound'],
    ['TypeError', 'unsupported'],
    ['NotReadableError', 'inUse'],
  ] as const)('[FACE074] %s is reported as %s, with what to do', (name, failure) => {
    expect(cameraFailureOf(new DOMException('x', name))).toBe(failure);
    expect(cameraFailureText(failure)).toMatch(/phone’s own camera/);
  });

  test('the hint depends on the brightness', () => {
    expect(lightingHint(20)).toMatch(/dark/);
    expect(lightingHint(120)).toBe('Good light. Put your face into the outline.');
  });
});
