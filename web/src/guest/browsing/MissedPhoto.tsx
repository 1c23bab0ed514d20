import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import type { components } from '../../platform/api/schema.gen';
import { sameOrigin } from '../../platform/api/links';
import { withTimeout } from '../../platform/api/withTimeout';
import { Alert } from '../../ui/Alert';
import { ProgressBar } from '../../ui/ProgressBar';
import { Button } from '../Button';
import { FaceCrop, useImageSize } from '../capture/FaceCrop';
import { ModalSheet } from '../ModalSheet';
import { request } from '../request';
import { type FaceBox, type Match, parseSearchResult } from '../search/matches';
import { searchTimeout } from '../search/searchFaces';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import styles from './browsing.module.css';

type Answer = components['schemas']['MissedFaceBody'];

const failedText = () => t`The photo could not be looked at. Please check your connection.`;

const ask = (slug: string, token: string, photo: string, confirmed: boolean, signal: AbortSignal) =>
  request<Answer>(
    `/api/face/search/${encodeURIComponent(slug)}/missed`,
    { body: { token, photo_id: photo, confirmed }, signal: withTimeout(signal, searchTimeout) },
    failedText(),
  );

/** The face in a photo, as large as it helps to recognise somebody. */
function Face({ picture, face }: { picture: string; face: FaceBox }) {
  const size = useImageSize(picture);
  return (
    <div className={styles['face']}>
      {size !== null && (
        <FaceCrop preview={picture} size={size} face={face} alt={t`The face in this photo`} />
      )}
    </div>
  );
}

/** A photo that the guest's search has not found: whose face in it is theirs is shown, and what they confirm is added to theirs. */
export function MissedPhoto({
  slug,
  token,
  match,
  onAdded,
  onClose,
}: {
  slug: string;
  /** Repeats the guest's search. */
  token: string;
  match: Match;
  /** The photo as the search would have answered it, and the token that downloads it. */
  onAdded: (added: Match, downloadTokens: string[]) => void;
  onClose: () => void;
}) {
  const [face, setFace] = useState<FaceBox | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const photo = match.photo_id ?? '';
  const fail = (error: unknown) => setFailure(error instanceof Error ? error.message : failedText());
  useEffect(() => {
    const controller = new AbortController();
    ask(slug, token, photo, false, controller.signal).then(
      (answer) => setFace(answer.face),
      (error: unknown) => {
        if (!controller.signal.aborted) fail(error);
      },
    );
    return () => controller.abort();
  }, [slug, token, photo]);
  const add = async () => {
    setAdding(true);
    try {
      const answer = await ask(slug, token, photo, true, new AbortController().signal);
      const { matches, downloadTokens } = parseSearchResult(
        { matches: [answer.match], download_token: answer.download_token },
        Date.now(),
      );
      const [added] = matches;
      if (added === undefined) throw new Error(failedText());
      onAdded(added, downloadTokens);
    } catch (error) {
      setAdding(false);
      fail(error);
    }
  };
  const picture = match.medium_url ?? match.url ?? match.thumbnail_url;
  return (
    <ModalSheet className={styles['missed'] ?? ''} aria-labelledby="missed-title" onClose={onClose}>
      <ViewTitle id="missed-title">{t`Is this you?`}</ViewTitle>
      {failure !== null && <Alert tone="warning">{failure}</Alert>}
      {failure === null && face === null && <ProgressBar label={t`Looking for your face`} />}
      {failure === null && face !== null && picture !== null && (
        <Face picture={sameOrigin(picture)} face={face} />
      )}
      {failure === null && face !== null && (
        <>
          <p className={text['small']}>
            {t`Your search has missed it. It is added to your photos, and the photographer sees that one was missed, not whose.`}
          </p>
          <Button look="filled" disabled={adding} onClick={() => void add()}>
            {t`Yes, add it to my photos`}
          </Button>
        </>
      )}
      <Button look="outlined" onClick={onClose}>
        {failure === null ? t`No, that is not me` : t`Close`}
      </Button>
    </ModalSheet>
  );
}
