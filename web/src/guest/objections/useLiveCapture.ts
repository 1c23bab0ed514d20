import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import type { useCamera } from '../capture/useCamera';
import { type Challenge, drawSide } from './objections';

/** Milliseconds for which a side that was drawn is asked for again: shorter than it is good for, with the time for two photos. */
const askedAgainFor = 3 * 60_000;

interface Drawn {
  challenge: Challenge;
  at: number;
}

/**
 * The two photos of a live capture. A preview is mirrored like a mirror: whoever turns to their left sees the head turn to the left
 * of the screen, so that 'your left' is right for both.
 */
export function useLiveCapture(slug: string, camera: ReturnType<typeof useCamera>) {
  // Asked for again after a refusal: 'to the other side' must not change its meaning meanwhile.
  const drawn = useRef<Drawn | null>(null);
  const [step, setStep] = useState<{ challenge: Challenge; first: Blob | null } | null>(null);
  const [opening, setOpening] = useState(false);
  return {
    opening: opening || camera.opening,
    /** What is to be done for the photo that is taken next. */
    instruction:
      step === null
        ? undefined
        : step.first === null
          ? t`Photo 1 of 2: look straight into the camera.`
          : step.challenge.side === 'left'
            ? t`Photo 2 of 2: turn your head a little to your left, then take the photo.`
            : t`Photo 2 of 2: turn your head a little to your right, then take the photo.`,
    /** Opens the camera for the first photo. Throws an `ApiError`. */
    begin: async (signal: AbortSignal) => {
      setOpening(true);
      try {
        if (drawn.current === null || Date.now() - drawn.current.at > askedAgainFor)
          drawn.current = { challenge: await drawSide(slug, signal), at: Date.now() };
        if (signal.aborted) return;
        setStep({ challenge: drawn.current.challenge, first: null });
        await camera.open();
      } finally {
        setOpening(false);
      }
    },
    /** Takes a photo; answers both once there are two. */
    take: (photo: Blob): { first: Blob; turned: Blob; challenge: string } | null => {
      if (step === null) return null;
      if (step.first === null) {
        setStep({ ...step, first: photo });
        return null;
      }
      return { first: step.first, turned: photo, challenge: step.challenge.challenge };
    },
    /** The next side is drawn anew. */
    forget: () => {
      drawn.current = null;
    },
  };
}
