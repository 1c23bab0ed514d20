import { readFileSync } from 'node:fs';
import { type EnginePage } from './engine';

interface Stand {
  readonly answer: 'face' | 'refused' | 'pending';
  readonly picture: string;
}

/** Gives the page a camera that sees this picture; it moves as a camera's does, which WebKit waits for. */
export const showToCamera = (page: EnginePage, path: string): Promise<void> =>
  page.run(replaceCamera, { answer: 'face', picture: readFileSync(path).toString('base64') });

/** Answers the page as a person does who refuses the camera. */
export const refuseCamera = (page: EnginePage): Promise<void> =>
  page.run(replaceCamera, { answer: 'refused', picture: '' });

/** Leaves the question for the camera unanswered. */
export const keepCameraWaiting = (page: EnginePage): Promise<void> =>
  page.run(replaceCamera, { answer: 'pending', picture: '' });

/** Runs in the page. Only the camera itself is replaced: what the page does with it is the engine's. */
function replaceCamera({ answer, picture }: Stand): void {
  const answers: Record<Stand['answer'], () => Promise<MediaStream>> = {
    refused: () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')),
    pending: () => new Promise<MediaStream>(() => undefined),
    face: async () => {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext('2d');
      setInterval(() => context?.drawImage(image, 0, 0), 60);
      return canvas.captureStream(15);
    },
  };
  // Not on `navigator.mediaDevices` itself: WebKit collects that object as garbage, and what was set on it.
  MediaDevices.prototype.getUserMedia = answers[answer];
}
