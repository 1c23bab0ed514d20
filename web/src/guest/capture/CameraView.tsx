import { t } from '@lingui/core/macro';
import { useEffect, useReducer, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { room } from '../../ui/theme/tokens';
import {
  brightnessOf,
  cameraFailureOf,
  captureFailedText,
  captureFrame,
  closeCamera,
  type Facing,
  hasMultipleCameras,
  lightingHint,
  noAnswerText,
  noFramesText,
  openCamera,
  permissionText,
} from './camera';
import type { CameraFailure } from './cameraFailures';
import styles from './CameraView.module.css';
import { PhotoPicker } from './PhotoPicker';

const hintInterval = 700;

/** Milliseconds within which an opened stream must deliver its first frame. */
export const firstFrameTimeout = 8000;
/** Milliseconds after which a camera that was not allowed is said to be missing; the browser may still ask. */
export const permissionTimeout = 20_000;

/**
 * The full-screen camera: a mirrored preview, the shutter within reach of the thumb, upload and flip beside it. With an instruction
 * there are neither: the photo is of whoever follows it.
 */
export default function CameraView({
  instruction,
  onPhoto,
  onPick,
  onUnavailable,
  onClose,
}: {
  /** What to do for the photo; another is taken after it when this changes. */
  instruction?: string;
  onPhoto: (photo: Blob) => void;
  onPick: (file: File) => void;
  onUnavailable: (failure: CameraFailure) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream | null>(null);
  const [facing, setFacing] = useState<Facing>('user');
  const [flippable, setFlippable] = useState(false);
  const [hint, setHint] = useState(permissionText());
  const [capturing, setCapturing] = useState(false);
  // The camera that has delivered a frame: after a flip there is none yet.
  const [facingWithFrame, setFacingWithFrame] = useState<Facing | null>(null);
  const hasFrame = facingWithFrame === facing;
  // Whether the browser has lent the camera.
  const [allowed, setAllowed] = useState(false);
  // How often the stream was opened anew, because the browser had ended it.
  const [reopenings, reopen] = useReducer((count: number) => count + 1, 0);
  const [errorText, setErrorText] = useState<string | null>(null);
  const unavailable = useRef(onUnavailable);
  useEffect(() => {
    unavailable.current = onUnavailable;
  });

  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  useEffect(() => {
    let cancelled = false;
    const show = async () => {
      try {
        const opened = await openCamera(facing);
        if (cancelled) {
          closeCamera(opened);
          return;
        }
        stream.current = opened;
        setAllowed(true);
        if (video.current !== null) video.current.srcObject = opened;
        const second = await hasMultipleCameras();
        // The effect may have been cleaned up during the await.
        setFlippable(second);
      } catch (error) {
        if (!cancelled) unavailable.current(cameraFailureOf(error));
      }
    };
    void show();
    return () => {
      cancelled = true;
      if (stream.current !== null) closeCamera(stream.current);
      stream.current = null;
    };
  }, [facing, reopenings]);

  useEffect(() => {
    // The back-forward cache ends the streams of a page, and phones those of a page in the background.
    const reopenEnded = () => {
      if (document.visibilityState !== 'visible' || stream.current?.active !== false) return;
      setFacingWithFrame(null);
      reopen();
    };
    window.addEventListener('pageshow', reopenEnded);
    document.addEventListener('visibilitychange', reopenEnded);
    return () => {
      window.removeEventListener('pageshow', reopenEnded);
      document.removeEventListener('visibilitychange', reopenEnded);
    };
  }, []);

  useEffect(() => {
    if (!allowed) return undefined;
    const timer = setInterval(() => {
      if (video.current !== null) setHint(lightingHint(brightnessOf(video.current)));
    }, hintInterval);
    return () => clearInterval(timer);
  }, [allowed]);

  useEffect(() => {
    if (hasFrame) return undefined;
    const [text, wait] = allowed ? [noFramesText(), firstFrameTimeout] : [noAnswerText(), permissionTimeout];
    const timer = setTimeout(() => setErrorText(text), wait);
    return () => clearTimeout(timer);
  }, [hasFrame, allowed]);

  const takePhoto = async () => {
    const captured = stream.current;
    if (video.current === null || captured === null) return;
    setCapturing(true);
    setErrorText(null);
    try {
      const photo = await captureFrame(video.current);
      // Meanwhile the camera may have been closed or flipped.
      if (stream.current === captured) onPhoto(photo);
      setCapturing(false);
    } catch (error) {
      setCapturing(false);
      setErrorText(error instanceof Error ? error.message : captureFailedText());
    }
  };

  return (
    <dialog className={styles['camera']} ref={dialog} aria-label={t`Camera`} onClose={onClose}>
      <video
        className={styles['video']}
        ref={video}
        autoPlay
        muted
        playsInline
        data-mirrored={facing === 'user'}
        aria-label={t`Camera preview`}
        onLoadedData={() => {
          setFacingWithFrame(facing);
          setErrorText(null);
        }}
      />
      <svg className={styles['outline']} viewBox="0 0 268 356" aria-hidden="true">
        <ellipse
          cx="134"
          cy="178"
          rx="130"
          ry="174"
          fill="none"
          stroke="#fff"
          strokeOpacity=".8"
          strokeWidth="2.5"
          strokeDasharray="2 9"
          strokeLinecap="round"
        />
        <path
          d="M4 178a130 174 0 0 0 260 0"
          fill="none"
          stroke={room.lit}
          strokeWidth="4"
          strokeLinecap="round"
        />
      </svg>
      <div className={styles['header']}>
        <button
          type="button"
          className={`${styles['plain']} ${styles['close']}`}
          aria-label={t`Close camera`}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
        <span>{t`Find Your Photos`}</span>
      </div>
      <div className={styles['footer']}>
        {errorText === null ? (
          <p className={styles['hint']} role="status">
            {instruction !== undefined && <strong className={styles['instruction']}>{instruction}</strong>}
            {hint}
          </p>
        ) : (
          <p className={styles['error']} role="alert">
            {errorText}
          </p>
        )}
        <div className={styles['controls']}>
          {instruction === undefined ? (
            <PhotoPicker look="side" onPick={onPick}>
              <span className={styles['round']}>
                <Icon name="picture" size={24} />
              </span>
              {t`upload a photo`}
            </PhotoPicker>
          ) : (
            <span />
          )}
          <button
            type="button"
            className={`${styles['plain']} ${styles['shutter']}`}
            disabled={capturing || !hasFrame}
            onClick={() => void takePhoto()}
          >
            <span className={styles['shutterIcon']} />
            {t`Take Photo`}
          </button>
          {flippable && instruction === undefined && (
            <button
              type="button"
              className={`${styles['plain']} ${styles['flip']}`}
              onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}
            >
              <span className={styles['round']}>
                <Icon name="flip" size={24} />
              </span>
              {t`Flip`}
            </button>
          )}
        </div>
      </div>
    </dialog>
  );
}
