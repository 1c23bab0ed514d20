import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { isTouchDevice } from '../../ui/isTouchDevice';
import { saveBlob } from '../../ui/saveFile';
import { Button } from '../Button';
import { cameraFailureText } from '../capture/cameraFailures';
import { PhotoPicker } from '../capture/PhotoPicker';
import { privacyNoticeText } from '../capture/privacyNotice';
import type { Selfie } from '../capture/selfie';
import { prepareSelfie } from '../capture/selfies';
import { useCamera } from '../capture/useCamera';
import { ModalSheet } from '../ModalSheet';
import text from '../text.module.css';
import { useHistoryLayer } from '../useHistoryLayer';
import {
  type Asked,
  askForRemoval,
  type Choice,
  removalErrorText,
  type RemovalPreview,
  searchForRemoval,
  type Turned,
} from './objections';
import { FoundStep } from './FoundStep';
import styles from './removal.module.css';
import { useLiveCapture } from './useLiveCapture';

/** A selfie, and which of the faces in it is the guest's. */
export interface KnownSelfie {
  selfie: Selfie;
  face: number;
}

type Step =
  | { name: 'explain' }
  | { name: 'searching' }
  | { name: 'found'; selfie: Selfie; face: number; preview: RemovalPreview }
  | { name: 'done'; choice: Choice; asked: Asked; live: boolean };

const saveReceipt = (receipt: string) =>
  saveBlob(new Blob([receipt], { type: 'application/json' }), 'deletion-receipt.json');

function Explanation({
  camera,
  opening,
  onCapture,
  onPick,
  onKnown,
}: {
  camera: ReturnType<typeof useCamera>;
  opening: boolean;
  onCapture: () => void;
  onPick: (file: File) => void;
  /** Goes on with the selfie of the search; undefined without one. */
  onKnown: (() => void) | undefined;
}) {
  return (
    <>
      <p className={text['small']}>
        {t`A selfie shows you which photos of this event you are in. Then you choose: nobody finds these photos any more, or nobody finds you any more.`}
      </p>
      <p className={text['small']}>
        {t`For that you take two photos: one straight into the camera, and one with your head turned to the side that we name. A picture of somebody else is not enough then. It is no proof: a video of them held up to the camera may pass.`}
      </p>
      <p className={styles['note']}>
        <Icon name="lock" />
        <span>{privacyNoticeText()}</span>
      </p>
      {camera.failure !== null && <Alert tone="warning">{cameraFailureText(camera.failure)}</Alert>}
      {camera.failure === null ? (
        <Button look="filled" size="large" disabled={opening} onClick={onCapture}>
          <Icon name="camera" size={24} />
          {t`Take two photos`}
        </Button>
      ) : (
        <PhotoPicker look="big" capture onPick={onPick}>
          <Icon name="camera" size={24} />
          {isTouchDevice() ? t`Take a selfie` : t`Choose a photo`}
        </PhotoPicker>
      )}
      {onKnown === undefined ? (
        <div className={styles['centre']}>
          <PhotoPicker look="link" onPick={onPick}>
            {t`upload a photo`}
          </PhotoPicker>
        </div>
      ) : (
        <Button look="outlined" size="large" onClick={onKnown}>
          {t`Use the selfie of my search`}
        </Button>
      )}
      <p className={text['small']}>
        {t`With a photo that is not taken here the photographer decides first, for it may be of somebody else. Until then nothing changes.`}
      </p>
    </>
  );
}

function Done({
  choice,
  asked: { waits, receipt },
  live,
  onClose,
}: {
  choice: Choice;
  asked: Asked;
  live: boolean;
  onClose: () => void;
}) {
  if (waits)
    return (
      <>
        <Alert tone="success">
          {!live
            ? t`The photographer is told, and decides first. Until then nothing changes: the photos stay, and you are found as before.`
            : t`These are so many photos that the photographer decides first, who was told. Until then the photos stay, and nobody finds you by your face any more.`}
        </Alert>
        <Button look="filled" size="large" onClick={onClose}>{t`Done`}</Button>
      </>
    );
  return (
    <>
      <Alert tone="success">
        {choice === 'hide'
          ? t`These photos are hidden now. Nobody finds them any more.`
          : t`Nobody finds you by your face any more.`}
      </Alert>
      <p className={text['small']}>
        {choice === 'hide'
          ? t`Photos that are uploaded later are not hidden: come back and do this again. Links to photos that somebody opened before work for six hours at most.`
          : t`This holds for photos that are uploaded later too, until the event ends. Then the description of your face is deleted. The photos stay visible to others who are in them.`}
      </p>
      <p className={text['small']}>
        {t`Changed your mind? Ask the photographer, who is told of this: they can undo it. They can also delete photos.`}
      </p>
      {receipt != null && (
        <div className={styles['centre']}>
          <Button onClick={() => saveReceipt(receipt)}>{t`Save receipt`}</Button>
        </div>
      )}
      <Button look="filled" size="large" onClick={onClose}>{t`Done`}</Button>
    </>
  );
}

/** 'Remove me', step by step: what it is, a selfie, what was found and the choice, and what it means. */
export function RemovalSheet({
  slug,
  selfie: known,
  onClose,
}: {
  slug: string;
  /** With which the guest has searched; null without one. */
  selfie: KnownSelfie | null;
  /** With whether what the guest asked for is done. */
  onClose: (removed: boolean) => void;
}) {
  const [step, setStep] = useState<Step>({ name: 'explain' });
  const [failure, setFailure] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const camera = useCamera();
  const { Camera } = camera;
  const capture = useLiveCapture(slug, camera);
  useHistoryLayer(Camera !== null, camera.close);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), [step.name]);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const begin = (): AbortController => {
    setFailure(null);
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    return controller;
  };
  const startCapture = async () => {
    const controller = begin();
    try {
      await capture.begin(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(removalErrorText(error));
    }
  };
  const take = (photo: Blob) => {
    const taken = capture.take(photo);
    if (taken !== null) void search(taken.first, 0, { image: taken.turned, challenge: taken.challenge });
  };
  const search = async (image: Blob | Selfie, face: number, turned: Turned | null = null) => {
    camera.close();
    const controller = begin();
    setStep({ name: 'searching' });
    try {
      const selfie = image instanceof Blob ? await prepareSelfie(image) : image;
      const second = turned && { ...turned, image: (await prepareSelfie(turned.image)).image };
      const preview = await searchForRemoval(slug, selfie.image, face, second, controller.signal);
      if (controller.signal.aborted) return;
      capture.forget();
      setStep({ name: 'found', selfie, face, preview });
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof ApiError && error.code === 'live_capture_expired') capture.forget();
      setFailure(removalErrorText(error));
      setStep({ name: 'explain' });
    }
  };
  const ask = async ({ token, live }: RemovalPreview, choice: Choice) => {
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      const asked = await askForRemoval(token, choice);
      setStep({ name: 'done', choice, asked, live });
    } catch (error) {
      setFailure(removalErrorText(error));
    }
    setSending(false);
  };
  const close = () => onClose(step.name === 'done');
  const restart = () => {
    setFailure(null);
    setStep({ name: 'explain' });
  };
  const titles = {
    explain: t`Remove me from the photos`,
    searching: t`Looking for photos of you`,
    found: t`Photos of you`,
    done: t`Done`,
  };
  return (
    <ModalSheet onClose={close} aria-labelledby="removal-title">
      <div className={styles['header']}>
        <h2 className={styles['title']} id="removal-title" ref={title} tabIndex={-1}>
          {titles[step.name]}
        </h2>
        <Button aria-label={t`Close`} onClick={close}>
          <Icon name="close" />
        </Button>
      </div>
      {step.name !== 'found' && failure !== null && <Alert tone="error">{failure}</Alert>}
      {step.name === 'explain' && (
        <Explanation
          camera={camera}
          opening={capture.opening}
          onCapture={() => void startCapture()}
          onPick={(file) => void search(file, 0)}
          onKnown={known === null ? undefined : () => void search(known.selfie, known.face)}
        />
      )}
      {step.name === 'searching' && (
        <p className={text['subtitle']} role="status">
          {t`One moment.`}
        </p>
      )}
      {step.name === 'found' && (
        <FoundStep
          preview={step.preview}
          selfie={step.selfie}
          face={step.face}
          failure={failure}
          sending={sending}
          onFace={(face) => void search(step.selfie, face)}
          onAsk={(choice) => void ask(step.preview, choice)}
          onNewSelfie={restart}
        />
      )}
      {step.name === 'done' && (
        <Done choice={step.choice} asked={step.asked} live={step.live} onClose={close} />
      )}
      {Camera !== null && (
        <Camera
          {...(capture.instruction !== undefined && { instruction: capture.instruction })}
          onPhoto={take}
          onPick={(file) => void search(file, 0)}
          onUnavailable={camera.fail}
          onClose={camera.close}
        />
      )}
    </ModalSheet>
  );
}
