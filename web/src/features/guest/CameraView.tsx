import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../shared/components/Icon';
import { room, snackbarColors } from '../../shared/theme/tokens';
import {
  brightnessOf,
  type CameraFailure,
  cameraFailureOf,
  captureFailedText,
  captureFrame,
  closeCamera,
  type Facing,
  hasMultipleCameras,
  lightingHint,
  noFramesText,
  openCamera,
} from './camera';
import { PhotoPicker } from './PhotoPicker';

const FullScreenDialog = styled('dialog')({
  position: 'fixed',
  inset: 0,
  width: '100%',
  height: '100dvh',
  maxWidth: 'none',
  maxHeight: 'none',
  margin: 0,
  padding: 0,
  border: 0,
  overflow: 'hidden',
  color: '#FFFFFF',
  backgroundColor: '#000000',
  colorScheme: 'dark',
  '& button:focus-visible': { outlineColor: '#FFFFFF' },
  '& > video': { position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: 'cover' },
  '& > video[data-mirrored=true]': { transform: 'scaleX(-1)' },
  '&::before': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: 1,
    pointerEvents: 'none',
    background:
      'linear-gradient(rgb(0 0 0 / .55), transparent 18%, transparent 58%, rgb(0 0 0 / .72) 76%, rgb(0 0 0 / .86))',
  },
  '& > *': { zIndex: 2 },
  '& > video, & > svg': { zIndex: 0 },
});

const FaceOutline = styled('svg')({
  position: 'absolute',
  left: '50%',
  top: '41%',
  width: 'min(268px, 42dvh)',
  aspectRatio: '268 / 356',
  transform: 'translate(-50%, -50%)',
  pointerEvents: 'none',
});

const Header = styled('div')({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '44px 1fr 44px',
  alignItems: 'center',
  padding: 'max(10px, env(safe-area-inset-top)) 12px 10px',
  fontWeight: 600,
  textAlign: 'center',
});

const Footer = styled('div')({
  position: 'absolute',
  inset: 'auto 0 0 0',
  maxWidth: 480,
  margin: '0 auto',
  padding: '0 20px max(26px, env(safe-area-inset-bottom))',
});

const Hint = styled('p')({
  margin: '0 0 22px',
  fontSize: 17,
  fontWeight: 500,
  textAlign: 'center',
  textShadow: '0 1px 6px rgb(0 0 0 / .6)',
});

// A snackbar would be below a dialog in the top layer, so that the camera shows its errors itself.
const ErrorMessage = styled('p')({
  margin: '0 0 22px',
  padding: '12px 14px',
  borderRadius: 14,
  fontSize: 15,
  fontWeight: 600,
  backgroundColor: snackbarColors.error,
});

const Controls = styled('div')({
  display: 'grid',
  gridTemplateColumns: '1fr auto 1fr',
  alignItems: 'start',
});

const PlainButton = styled('button')({
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'start',
  gap: 6,
  padding: 0,
  border: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: 14,
  fontWeight: 500,
  cursor: 'pointer',
  '&:disabled': { opacity: 0.5, cursor: 'default' },
});

const CloseButton = styled(PlainButton)({
  placeItems: 'center',
  alignContent: 'center',
  width: 44,
  height: 44,
});

const RoundIcon = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 52,
  height: 52,
  borderRadius: '50%',
  backgroundColor: 'rgb(255 255 255 / .16)',
});

const ShutterIcon = styled('span')({
  width: 84,
  height: 84,
  margin: '9px 9px 4px',
  borderRadius: '50%',
  backgroundColor: room.lit,
  boxShadow: '0 0 0 5px #000, 0 0 0 9px #fff, 0 0 44px 8px rgb(255 127 71 / .5)',
});

const hintInterval = 700;

/** Milliseconds within which an opened stream must deliver its first frame. */
export const firstFrameTimeout = 8000;

/** The full-screen camera: a mirrored preview, the shutter within reach of the thumb, upload and flip beside it. */
export default function CameraView({
  onPhoto,
  onPick,
  onUnavailable,
  onClose,
}: {
  onPhoto: (photo: Blob) => void;
  onPick: (file: File) => void;
  onUnavailable: (failure: CameraFailure) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [facing, setFacing] = useState<Facing>('user');
  const [flippable, setFlippable] = useState(false);
  const [hint, setHint] = useState(lightingHint(null));
  const [capturing, setCapturing] = useState(false);
  // The camera that has delivered a frame: after a flip there is none yet.
  const [facingWithFrame, setFacingWithFrame] = useState<Facing | null>(null);
  const hasFrame = facingWithFrame === facing;
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
    let stream: MediaStream | null = null;
    const show = async () => {
      try {
        const opened = await openCamera(facing);
        stream = opened;
        if (cancelled) {
          closeCamera(opened);
          return;
        }
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
      if (stream !== null) closeCamera(stream);
    };
  }, [facing]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (video.current !== null) setHint(lightingHint(brightnessOf(video.current)));
    }, hintInterval);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (hasFrame) return undefined;
    const timer = setTimeout(() => setErrorText(noFramesText), firstFrameTimeout);
    return () => clearTimeout(timer);
  }, [hasFrame]);

  const takePhoto = async () => {
    if (video.current === null) return;
    setCapturing(true);
    setErrorText(null);
    try {
      onPhoto(await captureFrame(video.current));
    } catch (error) {
      setCapturing(false);
      setErrorText(error instanceof Error ? error.message : captureFailedText);
    }
  };

  return (
    <FullScreenDialog ref={dialog} aria-label="Camera" onClose={onClose}>
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        data-mirrored={facing === 'user'}
        aria-label="Camera preview"
        onLoadedData={() => {
          setFacingWithFrame(facing);
          setErrorText(null);
        }}
      />
      <FaceOutline viewBox="0 0 268 356" aria-hidden="true">
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
      </FaceOutline>
      <Header>
        <CloseButton type="button" aria-label="Close camera" onClick={onClose}>
          <Icon name="close" />
        </CloseButton>
        <span>Find Your Photos</span>
      </Header>
      <Footer>
        {errorText === null ? (
          <Hint role="status">{hint}</Hint>
        ) : (
          <ErrorMessage role="alert">{errorText}</ErrorMessage>
        )}
        <Controls>
          <PhotoPicker look="side" onPick={onPick}>
            <RoundIcon>
              <Icon name="picture" size={24} />
            </RoundIcon>
            upload a photo
          </PhotoPicker>
          <PlainButton
            type="button"
            disabled={capturing || !hasFrame}
            onClick={() => void takePhoto()}
            sx={{ fontSize: 16, fontWeight: 600 }}
          >
            <ShutterIcon />
            Take Photo
          </PlainButton>
          {flippable && (
            <PlainButton
              type="button"
              onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}
              sx={{ pt: '14px' }}
            >
              <RoundIcon>
                <Icon name="flip" size={24} />
              </RoundIcon>
              Flip
            </PlainButton>
          )}
        </Controls>
      </Footer>
    </FullScreenDialog>
  );
}
