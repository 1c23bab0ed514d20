import { plural, t } from '@lingui/core/macro';
import { type SyntheticEvent, useState } from 'react';
import { sameOrigin } from '../../platform/api/links';
import { position } from '../../platform/renditions';
import { Alert } from '../../ui/Alert';
import { Button } from '../Button';
import { FaceCrop, useImageSize } from '../capture/FaceCrop';
import type { Selfie } from '../capture/selfie';
import text from '../text.module.css';
import type { Choice, RemovalPreview } from './objections';
import { hideConsentText, stopFindingConsentText } from './notice';
import styles from './removal.module.css';

/** The faces of a selfie with several people: which one is meant. */
function Faces({
  preview,
  faces,
  chosen,
  onChoose,
}: {
  preview: string;
  faces: RemovalPreview['faces'];
  chosen: number;
  onChoose: (face: number) => void;
}) {
  const size = useImageSize(preview);
  return (
    <div className={styles['faces']} role="group" aria-label={t`Which one is you?`}>
      {faces.map((face, index) => (
        <button
          key={index}
          type="button"
          className={styles['face']}
          aria-pressed={index === chosen}
          aria-label={t`Face ${{ number: index + 1 }}`}
          onClick={() => onChoose(index)}
        >
          {size !== null && <FaceCrop preview={preview} size={size} face={face} />}
        </button>
      ))}
    </div>
  );
}

const countText = (count: number): string =>
  plural(count, { one: 'We found you in # photo:', other: 'We found you in # photos:' });

function Option({
  choice,
  chosen,
  label,
  explanation,
  limits,
  onChoose,
}: {
  choice: Choice;
  chosen: Choice | null;
  label: string;
  explanation: string;
  /** What it cannot do. */
  limits?: string;
  onChoose: (choice: Choice) => void;
}) {
  return (
    <label className={styles['option']}>
      <input
        type="radio"
        name="removal-choice"
        value={choice}
        required
        checked={chosen === choice}
        onChange={() => onChoose(choice)}
        aria-labelledby={`removal-${choice}-label`}
        aria-describedby={`removal-${choice}`}
      />
      <span>
        <strong id={`removal-${choice}-label`}>{label}</strong>
        <span className={text['small']} id={`removal-${choice}`}>
          {explanation} {limits !== undefined && <span className={styles['limits']}>{limits}</span>}
        </span>
      </span>
    </label>
  );
}

/** What was found, the choice, and the consent to it. */
export function FoundStep({
  preview,
  selfie,
  face,
  failure,
  sending,
  onFace,
  onAsk,
  onNewSelfie,
}: {
  preview: RemovalPreview;
  selfie: Selfie;
  face: number;
  /** Why the request was refused; it is shown at the button, for the sheet is higher than a phone. */
  failure: string | null;
  sending: boolean;
  onFace: (face: number) => void;
  onAsk: (choice: Choice) => void;
  onNewSelfie: () => void;
}) {
  const { photos, faces, overruled, live } = preview;
  const [choice, setChoice] = useState<Choice | null>(null);
  const [agreed, setAgreed] = useState(false);
  const choose = (chosen: Choice) => {
    setChoice(chosen);
    setAgreed(false);
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (choice !== null && agreed) onAsk(choice);
  };
  return (
    <form className={styles['form']} onSubmit={send}>
      {!live && (
        <Alert tone="warning">
          {t`This photo was not taken here, so the photographer decides first about what you ask for. Until then nothing changes: the photos stay, and you are found as before.`}
        </Alert>
      )}
      {faces.length > 1 && selfie.preview !== null && (
        <Faces preview={selfie.preview} faces={faces} chosen={face} onChoose={onFace} />
      )}
      {photos.length === 0 ? (
        <p className={text['subtitle']}>{t`We found no photos of you.`}</p>
      ) : (
        <>
          <p className={text['subtitle']}>{countText(photos.length)}</p>
          <ul className={styles['photos']} aria-label={t`Photos of you`} tabIndex={0}>
            {photos.map(({ photo_id, thumbnail_url, filename, focus }) => (
              <li key={photo_id}>
                <img
                  src={sameOrigin(thumbnail_url)}
                  alt={filename}
                  loading="lazy"
                  style={{ objectPosition: position(focus) }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {overruled > 0 && (
        <p className={text['small']}>
          {plural(overruled, {
            one: 'The photographer has decided to show # more photo.',
            other: 'The photographer has decided to show # more photos.',
          })}
        </p>
      )}
      <p className={text['small']}>
        {t`Only photos in which we are very sure are here. If some are missing, take another selfie.`}
      </p>
      <fieldset className={styles['choices']}>
        <legend className={styles['legend']}>{t`What do you want?`}</legend>
        {photos.length > 0 && (
          <Option
            choice="hide"
            chosen={choice}
            label={t`Hide photos I'm in`}
            explanation={t`Nobody finds exactly these photos any more, others in them neither.`}
            {...(live && { limits: t`If these are many photos, the photographer decides first.` })}
            onChoose={choose}
          />
        )}
        <Option
          choice="stop_finding"
          chosen={choice}
          label={t`Stop finding me`}
          explanation={t`Nobody finds you by your face any more, not even you, also in photos that are uploaded later. The photos stay visible to others who are in them.`}
          limits={t`Results that were opened before lose these photos too. What it cannot do: whoever has saved a photo keeps it, links that are open work for six hours at most, a blurred or dark photo of you may be missed, and somebody who looks much like you may lose a few photos.`}
          onChoose={choose}
        />
      </fieldset>
      {choice !== null && (
        <label className={styles['option']}>
          <input
            type="checkbox"
            required
            checked={agreed}
            onChange={({ target }) => setAgreed(target.checked)}
          />
          <span className={text['small']}>
            {choice === 'hide' ? hideConsentText() : stopFindingConsentText()}
          </span>
        </label>
      )}
      {choice !== null && (
        <p className={text['small']}>
          {t`You cannot undo this yourself. If you change your mind, ask the photographer: they can.`}
        </p>
      )}
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      <Button look="filled" size="large" type="submit" aria-disabled={sending}>
        {sending
          ? t`One moment.`
          : choice !== null && !live
            ? t({ context: 'for something to be done', message: 'Ask the photographer' })
            : choice === 'hide'
              ? plural(photos.length, { one: 'Hide # photo', other: 'Hide # photos' })
              : choice === 'stop_finding'
                ? t`Stop finding me`
                : t`Confirm`}
      </Button>
      <div className={styles['centre']}>
        <Button onClick={onNewSelfie}>{t`Take a new selfie`}</Button>
      </div>
    </form>
  );
}
