import { describe, expect, test, vi } from 'vitest';
import { selfieFile } from '../testing';
import { selfieFromPreview } from './selfie';
import { invalidImageText, prepareSelfie } from './selfies';

describe('a selfie', () => {
  test('a file that the browser cannot scale is used unchanged', async () => {
    const file = selfieFile();
    const selfie = await prepareSelfie(file);
    expect(selfie.image).toBe(file);
    expect(selfie.preview).toMatch(/^data:image\/png;base64,/);
  });

  test('a data URL is accepted', async () => {
    const { image } = await prepareSelfie('data:image/png;base64,AAEC');
    expect([image.type, image.size]).toEqual(['image/png', 3]);
    expect(selfieFromPreview('data:image/svg+xml,%3Csvg%3E')?.image.size).toBe(5);
    expect(selfieFromPreview('data:image/png;base64,***')).toBeNull();
  });

  test.each([[null], [42], ['hello'], ['data:text/plain,hi'], ['data:image/png;base64,***'], [{}]])(
    '[FACE030] %j is no image and fails with its message',
    async (input) => {
      await expect(prepareSelfie(input)).rejects.toThrow('Invalid image data provided for search.');
      expect(invalidImageText()).toBe('Invalid image data provided for search.');
    },
  );

  test('a format that browsers cannot display has no preview', async () => {
    const heic = new File(['x'], 'a.heic', { type: 'image/heic' });
    expect(await prepareSelfie(heic)).toEqual({ image: heic, preview: null });
  });

  test('a large image is scaled down and rotated upright', async () => {
    const bitmap = { width: 4000, height: 3000, close: vi.fn() };
    const decode = vi.fn(() => Promise.resolve(bitmap));
    vi.stubGlobal('createImageBitmap', decode);
    const drawn: number[][] = [];
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => ({
      drawImage: (_: unknown, ...box: number[]) => drawn.push(box),
    })) as never);
    const small = new Blob(['small'], { type: 'image/jpeg' });
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(small));
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/jpeg;base64,AA==');
    expect(await prepareSelfie(selfieFile())).toEqual({
      image: small,
      preview: 'data:image/jpeg;base64,AA==',
    });
    expect(decode).toHaveBeenCalledWith(expect.anything(), { imageOrientation: 'from-image' });
    expect(drawn).toEqual([
      [0, 0, 1600, 1200],
      [0, 0, 720, 540],
    ]);
    expect(bitmap.close).toHaveBeenCalledOnce();
  });
});
