import { t } from '@lingui/core/macro';

/** Why the camera is not available: `unsupported` by the browser, `notFound` on the device. */
export type CameraFailure = 'denied' | 'unsupported' | 'notFound' | 'inUse' | 'loadFailed';

/** The message for each failure, with what to do. */
export function cameraFailureText(failure: CameraFailure): string {
  switch (failure) {
    case 'denied':
      return t`The camera is switched off for this page. Allow it in the browser’s settings, or take the photo with your phone’s own camera.`;
    case 'unsupported':
      return t`This browser does not lend its camera to pages. Open the link in another browser, or take the photo with your phone’s own camera.`;
    case 'notFound':
      return t`No camera was found here. Choose a photo of yourself, or open the link on your phone and take the photo with your phone’s own camera.`;
    case 'inUse':
      return t`Another app is using the camera. Close it, or take the photo with your phone’s own camera.`;
    case 'loadFailed':
      return t`The camera could not be loaded over this connection. Load the page again, or take the photo with your phone’s own camera.`;
  }
}

/** False in in-app browsers and on pages without https. */
export const hasCamera = (): boolean => 'mediaDevices' in navigator;
