import { plural, t } from '@lingui/core/macro';
import { type ChangeEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { formatDayOf } from '../../platform/shortDates';
import { Alert } from '../../ui/Alert';
import { ProgressBar } from '../../ui/ProgressBar';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { Button } from '../Button';
import { ModalSheet } from '../ModalSheet';
import text from '../text.module.css';
import styles from './adding.module.css';
import {
  type Guest,
  type OwnPhoto,
  type OwnPhotos,
  readOwnPhotos,
  readThumbnail,
  takeBack,
} from './ownPhotos';
import type { SendingQueue } from './useSending';

/** How often is asked what became of them, in milliseconds. */
const interval = 30_000;
const maxNameLength = 60;

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The picture of a photo that waits. */
function Thumbnail({ guest, id }: { guest: Guest; id: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let made: string | null = null;
    readThumbnail(guest, id, controller.signal).then(
      (bytes) => {
        if (controller.signal.aborted) return;
        made = URL.createObjectURL(bytes);
        setUrl(made);
      },
      // Its place stays empty; what became of the photo is said beside it.
      () => undefined,
    );
    return () => {
      controller.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [guest, id]);
  return <span className={styles['picture']}>{url !== null && <img src={url} alt="" />}</span>;
}

function Own({
  guest,
  photo,
  number,
  onTakeBack,
}: {
  guest: Guest;
  photo: OwnPhoto;
  number: number;
  onTakeBack: () => void;
}) {
  const waits = photo.state === 'waiting';
  return (
    <li className={styles['photo']}>
      {waits ? (
        <Thumbnail guest={guest} id={photo.id} />
      ) : (
        <span className={styles['picture']} aria-hidden="true" />
      )}
      <span className={styles['state']}>
        <b>{waits ? t`Waiting` : t`In`}</b>
        <span className={text['caption']}>
          {waits && photo.goes_at != null
            ? t`The photographer looks at it until ${{ day: formatDayOf(photo.goes_at) }}.`
            : t`It is among the photos of the event.`}
        </span>
      </span>
      {waits && (
        <Button aria-label={t`Take back photo ${{ number }}`} onClick={onTakeBack}>
          {t`Take back`}
        </Button>
      )}
    </li>
  );
}

/** Photos from the guest's own phone, and what became of those that were sent before. */
export function AddSheet({
  guest,
  queue,
  onClose,
}: {
  guest: Guest;
  queue: SendingQueue;
  onClose: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [name, setName] = useState('');
  const [own, setOwn] = useState<OwnPhotos | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const load = useCallback(
    (signal: AbortSignal) =>
      readOwnPhotos(guest, signal).then(
        (photos) => {
          setOwn(photos);
          setFailure(null);
        },
        (error: unknown) => {
          if (!signal.aborted) setFailure(textOf(error));
        },
      ),
    [guest],
  );
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    const controller = new AbortController();
    void load(controller.signal);
    const timer = setInterval(() => void load(controller.signal), interval);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [load]);
  const { sending, add, retry, remove, onSent } = queue;
  useEffect(
    () =>
      onSent(() => {
        setSaid(t`A photo has arrived. It waits for the photographer.`);
        void load(new AbortController().signal);
      }),
    [onSent, load],
  );
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // The same files can be chosen again.
    target.value = '';
    if (files.length > 0) add(files, name.trim());
  };
  const back = async (photo: OwnPhoto) => {
    let refused: string | null = null;
    try {
      await takeBack(guest, photo.id);
      setSaid(t`The photo is taken back.`);
    } catch (error) {
      refused = textOf(error);
    }
    // What it loads takes the failure away that is shown.
    await load(new AbortController().signal);
    if (refused !== null) setFailure(refused);
    title.current?.focus({ preventScroll: true });
  };
  const count = own?.photos.length ?? 0;
  const left = own === null ? 0 : Math.max(0, own.limit - count);
  return createPortal(
    <ModalSheet className={styles['sheet'] ?? ''} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 className={styles['title']} id={`${id}-title`} ref={title} tabIndex={-1}>
        {t`Add your photos`}
      </h2>
      <p className={text['small']}>
        {t`The photographer looks at them first. Until then nobody else sees them; what is not let in is deleted after 14 days.`}
      </p>
      {own !== null && !own.taken && (
        <Alert tone="warning">{t`The photographer of this event takes no photos from guests`}</Alert>
      )}
      {own?.taken === true && (
        <>
          <label className={styles['label']} htmlFor={`${id}-name`}>
            {t`Your name (optional)`}
          </label>
          <input
            className={styles['field']}
            id={`${id}-name`}
            name="name"
            autoComplete="name"
            maxLength={maxNameLength}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <input
            ref={input}
            className={styles['files']}
            type="file"
            accept="image/*"
            multiple
            tabIndex={-1}
            aria-hidden="true"
            data-testid="guest-photos"
            onChange={pick}
          />
          <Button
            look="filled"
            size="large"
            aria-disabled={left === 0}
            onClick={() => {
              if (left > 0) input.current?.click();
            }}
          >
            {t`Choose photos`}
          </Button>
          <p className={text['caption']}>
            {plural(left, {
              one: 'You can add # more photo.',
              other: 'You can add # more photos.',
            })}
          </p>
        </>
      )}
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      {(sending.length > 0 || count > 0) && (
        <ul className={styles['list']} aria-label={t`Your photos`}>
          {sending.map(({ file, progress, failure: refused, waits }, index) => (
            <li className={styles['photo']} key={`${file.name} ${file.size} ${file.lastModified}`}>
              <span className={styles['state']}>
                <b id={`${id}-file-${index}`} className={styles['name']}>
                  {file.name}
                </b>
                {refused === null ? (
                  <ProgressBar value={progress} label={t`Sending ${{ name: file.name }}`} />
                ) : (
                  <span className={text['caption']}>{refused}</span>
                )}
              </span>
              {refused !== null && (
                <Button
                  id={`${id}-again-${index}`}
                  aria-labelledby={`${id}-again-${index} ${id}-file-${index}`}
                  onClick={() => retry(file)}
                >
                  {t`Try again`}
                </Button>
              )}
              {(refused !== null || waits) && (
                <Button aria-label={t`Remove ${{ name: file.name }}`} onClick={() => remove(file)}>
                  {t`Remove`}
                </Button>
              )}
            </li>
          ))}
          {own?.photos.map((photo, index) => (
            <Own
              key={photo.id}
              guest={guest}
              photo={photo}
              number={index + 1}
              onTakeBack={() => void back(photo)}
            />
          ))}
        </ul>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <Button onClick={onClose}>{t`Close`}</Button>
    </ModalSheet>,
    document.body,
  );
}
