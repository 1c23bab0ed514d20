import { plural, t } from '@lingui/core/macro';
import { useEffect, useId, useState } from 'react';
import { createPortal } from 'react-dom';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { ProgressBar } from '../../ui/ProgressBar';
import { saveBlob } from '../../ui/saveFile';
import { Button } from '../Button';
import { canShareFiles } from '../downloads/platform';
import { ModalSheet } from '../ModalSheet';
import type { Match } from '../search/matches';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { fetchSoftened, type KeptSearch, softenedFileName } from './softened';
import styles from './strangers.module.css';

type State =
  | { phase: 'drawing' }
  | { phase: 'failed'; reason: string }
  | { phase: 'drawn'; photo: Blob; url: string; count: number };

const failedText = () => t`The photo could not be made. Please check your connection.`;
const softenedText = (count: number) =>
  count === 0
    ? t`No other face was found in this photo.`
    : plural(count, { one: '# other face is softened.', other: '# other faces are softened.' });

/** The photo as it is drawn for the guest; it is dropped with this. */
function useSoftened(slug: string, key: string, searches: readonly KeptSearch[]) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>({ phase: 'drawing' });
  // A search that is repeated meanwhile draws nothing anew.
  const [kept] = useState(searches);
  useEffect(() => {
    const controller = new AbortController();
    let url: string | null = null;
    const draw = async () => {
      try {
        const { photo, count } = await fetchSoftened(slug, key, kept, controller.signal, failedText());
        if (controller.signal.aborted) return;
        url = URL.createObjectURL(photo);
        setState({ phase: 'drawn', photo, url, count });
      } catch (error) {
        if (controller.signal.aborted) return;
        setState({ phase: 'failed', reason: error instanceof Error ? error.message : failedText() });
      }
    };
    void draw();
    return () => {
      controller.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [slug, key, kept, attempt]);
  const retry = () => {
    setState({ phase: 'drawing' });
    setAttempt((count) => count + 1);
  };
  return { state, retry };
}

/** A photo in which all faces but the guest's and their friends' are softened: shown first, then shared or saved. */
export default function WithoutStrangersSheet({
  slug,
  match,
  position,
  searches,
  onClose,
}: {
  slug: string;
  match: Match;
  /** From 1. */
  position: number;
  /** Those of whose people the faces are kept. */
  searches: readonly KeptSearch[];
  onClose: () => void;
}) {
  const id = useId();
  const { state, retry } = useSoftened(slug, match.s3_key ?? '', searches);
  const [failure, setFailure] = useState<string | null>(null);
  const name = softenedFileName(match, position);
  const share = async (photo: Blob) => {
    setFailure(null);
    try {
      await navigator.share({ files: [new File([photo], name, { type: 'image/jpeg' })] });
    } catch (error) {
      // Closing the system's sheet is no error.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setFailure(t`The photo could not be shared. You can save it instead.`);
    }
  };
  const size =
    match.width > 0 && match.height > 0 ? { aspectRatio: `${match.width} / ${match.height}` } : undefined;
  // Beside the viewer, which hides the rest of the page from screen readers.
  return createPortal(
    <ModalSheet aria-labelledby={`${id}-title`} aria-busy={state.phase === 'drawing'} onClose={onClose}>
      <ViewTitle id={`${id}-title`}>{t`Share without strangers`}</ViewTitle>
      {state.phase === 'drawing' && (
        <div className={styles['waiting']} style={size}>
          <ProgressBar label={t`Softening the other faces`} />
        </div>
      )}
      {state.phase === 'drawn' && (
        <img className={styles['picture']} style={size} src={state.url} alt={t`The photo as it is shared`} />
      )}
      <div className={styles['said']} role="status">
        {state.phase === 'drawn' && (
          <>
            <p>{softenedText(state.count)}</p>
            <p className={text['small']}>
              {t`A face that was not found stays as it is. Please look at the photo before you share it.`}
            </p>
          </>
        )}
      </div>
      {state.phase === 'failed' && <Alert tone="error">{state.reason}</Alert>}
      {failure !== null && <Alert tone="error">{failure}</Alert>}
      {state.phase === 'failed' && (
        <Button look="filled" size="large" onClick={retry}>
          <Icon name="refresh" />
          {t`Try again`}
        </Button>
      )}
      {state.phase === 'drawn' && canShareFiles() && (
        <Button look="filled" size="large" onClick={() => void share(state.photo)}>
          <Icon name="share" />
          {t`Share`}
        </Button>
      )}
      {state.phase === 'drawn' && (
        <Button
          look={canShareFiles() ? 'outlined' : 'filled'}
          size="large"
          onClick={() => saveBlob(state.photo, name)}
        >
          {t`Save`}
        </Button>
      )}
      <Button onClick={onClose}>{state.phase === 'drawn' ? t`Close` : t`Cancel`}</Button>
    </ModalSheet>,
    document.body,
  );
}
