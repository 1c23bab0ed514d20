import { describe, expect, test, vi } from 'vitest';
import { cameraFailureOf, captureFrame, lightingHint, openCamera } from './camera';
import { cameraFailureText } from './cameraFailures';

function videoOf(width: number, height: number) {
  const video = document.createElement('video');
  Object.defineProperties(video, { videoWidth: { value: width }, videoHeight: { value: height } });
  return video;
}

function canvasWith(context: object | null) {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => context) as never);
}

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

  test('[FACE072] captures the frame without mirroring it', async () => {
    const drawImage = vi.fn();
    // A context without transforms: a capture that mirrors would throw.
    canvasWith({ drawImage });
    const photo = new Blob(['jpeg']);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(photo));
    const video = videoOf(640, 480);
    expect(await captureFrame(video)).toBe(photo);
    expect(drawImage).toHaveBeenCalledExactlyOnceWith(video, 0, 0);
  });

  test.each([
    ['no frame', 0, { drawImage: () => undefined }],
    ['no canvas', 640, null],
  ])('[FACE031] a capture with %s fails with its message', async (_, width, context) => {
    canvasWith(context);
    await expect(captureFrame(videoOf(width, width))).rejects.toThrow(
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
