import { type ComponentType, useEffect, useState } from 'react';
import { type CameraFailure, hasCamera } from './cameraFailures';
import type CameraView from './CameraView';

const importCamera = () => import('./CameraView');

type Camera = ComponentType<Parameters<typeof CameraView>[0]>;

/** The camera of the capture view; its chunk is imported when it is opened. */
export function useCamera() {
  const [Camera, setCamera] = useState<Camera | null>(null);
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<CameraFailure | null>(() => (hasCamera() ? null : 'unsupported'));
  usePreload();
  return {
    Camera,
    opening,
    failure,
    open: async () => {
      setOpening(true);
      try {
        const { default: View } = await importCamera();
        setCamera(() => View);
      } catch {
        setFailure('loadFailed');
      }
      setOpening(false);
    },
    close: () => setCamera(null),
    fail: (reason: CameraFailure) => {
      setCamera(null);
      setFailure(reason);
    },
  };
}

/** Preloads the camera chunk at the first interaction: not in the initial load, but before the network may be lost. */
function usePreload(): void {
  useEffect(() => {
    const preload = () => {
      window.removeEventListener('pointerdown', preload);
      window.removeEventListener('keydown', preload);
      importCamera().catch(() => {
        // It is imported again when the camera is opened, which shows the error.
      });
    };
    window.addEventListener('pointerdown', preload);
    window.addEventListener('keydown', preload);
    return () => {
      window.removeEventListener('pointerdown', preload);
      window.removeEventListener('keydown', preload);
    };
  }, []);
}
