import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../shared/components/Icon';
import { room, snackbarColors } from '../../shared/theme/tokens';
import {
  adviceFor,
  brightnessOf,
  canFlip,
  type CameraFailure,
  cameraFailureOf,
  capture,
  captureFailedText,
  closeCamera,
  type Facing,
  noFramesText,
  openCamera,
} from './camera';
import { PhotoPicker } from './PhotoPicker';

const Stage = styled('dialog')({
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

const Oval = styled('svg')({
  position: 'absolute',
  left: '50%',
  top: '41%',
  width: 'min(268px, 42dvh)',
  aspectRatio: '268 / 356',
  transform: 'translate(-50%, -50%)',
  pointerEvents: 'none',
});

const Top = styled('div')({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: '44px 1fr 44px',
  alignItems: 'center',
  padding: 'max(10px, env(safe-area-inset-top)) 12px 10px',
  fontWeight: 600,
  textAlign: 'center',
});

const Bottom = styled('div')({
  position: 'absolute',
  inset: 'auto 0 0 0',
  maxWidth: 480,
  margin: '0 auto',
  padding: '0 20px max(26px, env(safe-area-inset-bottom))',
});

const Advice = styled('p')({
  margin: '0 0 22px',
  fontSize: 17,
  fontWeight: 500,
  textAlign: 'center',
  textShadow: '0 1px 6px rgb(0 0 0 / .6)',
});

// A snackbar would lie under a dialog of the top layer, so the camera says itself what went wrong.
const Problem = styled('p')({
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

const Close = styled(PlainButton)({ placeItems: 'center', alignContent: 'center', width: 44, height: 44 });

const Disc = styled('span')({
  display: 'grid',
  placeItems: 'center',
  width: 52,
  height: 52,
  borderRadius: '50%',
  backgroundColor: 'rgb(255 255 255 / .16)',
});

const Shutter = styled('span')({
  width: 84,
  height: 84,
  margin: '9px 9px 4px',
  borderRadius: '50%',
  backgroundColor: room.lit,
  boxShadow: '0 0 0 5px #000, 0 0 0 9px #fff, 0 0 44px 8px rgb(255 127 71 / .5)',
});

const adviceInterval = 700;

/** Milliseconds within which a camera that was lent shows a picture. */
export const framesExpectedWithin = 8000;

/** The camera over the whole screen: a mirrored preview, the shutter in the thumb's arc, upload and flip beside it. */
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
  const [advice, setAdvice] = useState(adviceFor(null));
  const [taking, setTaking] = useState(false);
  // What has shown a frame: a flip to the other camera starts without one again.
  const [seen, setSeen] = useState<Facing | null>(null);
  const watching = seen === facing;
  const [problem, setProblem] = useState<string | null>(null);
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
    let left = false;
    let stream: MediaStream | null = null;
    const show = async () => {
      try {
        const opened = await openCamera(facing);
        stream = opened;
        if (left) {
          closeCamera(opened);
          return;
        }
        if (video.current !== null) video.current.srcObject = opened;
        const second = await canFlip();
        // The cleanup may have run while the devices were counted.
        setFlippable(second);
      } catch (error) {
        if (!left) unavailable.current(cameraFailureOf(error));
      }
    };
    void show();
    return () => {
      left = true;
      if (stream !== null) closeCamera(stream);
    };
  }, [facing]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (video.current !== null) setAdvice(adviceFor(brightnessOf(video.current)));
    }, adviceInterval);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (watching) return undefined;
    const timer = setTimeout(() => setProblem(noFramesText), framesExpectedWithin);
    return () => clearTimeout(timer);
  }, [watching]);

  const take = async () => {
    if (video.current === null) return;
    setTaking(true);
    setProblem(null);
    try {
      onPhoto(await capture(video.current));
    } catch (error) {
      setTaking(false);
      setProblem(error instanceof Error ? error.message : captureFailedText);
    }
  };

  return (
    <Stage ref={dialog} aria-label="Camera" onClose={onClose}>
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        data-mirrored={facing === 'user'}
        aria-label="Camera preview"
        onLoadedData={() => {
          setSeen(facing);
          setProblem(null);
        }}
      />
      <Oval viewBox="0 0 268 356" aria-hidden="true">
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
      </Oval>
      <Top>
        <Close type="button" aria-label="Close camera" onClick={onClose}>
          <Icon name="close" />
        </Close>
        <span>Find Your Photos</span>
      </Top>
      <Bottom>
        {problem === null ? (
          <Advice role="status">{advice}</Advice>
        ) : (
          <Problem role="alert">{problem}</Problem>
        )}
        <Controls>
          <PhotoPicker look="side" onPick={onPick}>
            <Disc>
              <Icon name="picture" size={24} />
            </Disc>
            upload a photo
          </PhotoPicker>
          <PlainButton
            type="button"
            disabled={taking || !watching}
            onClick={() => void take()}
            sx={{ fontSize: 16, fontWeight: 600 }}
          >
            <Shutter />
            Take Photo
          </PlainButton>
          {flippable && (
            <PlainButton
              type="button"
              onClick={() => setFacing(facing === 'user' ? 'environment' : 'user')}
              sx={{ pt: '14px' }}
            >
              <Disc>
                <Icon name="flip" size={24} />
              </Disc>
              Flip
            </PlainButton>
          )}
        </Controls>
      </Bottom>
    </Stage>
  );
}
