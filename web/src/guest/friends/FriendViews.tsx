import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import { cameraFailureText } from '../capture/cameraFailures';
import { PhotoPicker } from '../capture/PhotoPicker';
import { privacyNoticeText } from '../capture/privacyNotice';
import { useCamera } from '../capture/useCamera';
import { FaceChooser } from '../search/FaceChooser';
import type { Indexing } from '../search/matches';
import type { CompletedSearch } from '../search/search';
import { searchingText } from '../search/SearchingView';
import { SearchProgress } from '../search/SearchProgress';
import text from '../text.module.css';
import { useHistoryLayer } from '../useHistoryLayer';
import { ViewTitle } from '../ViewTitle';
import styles from './FriendViews.module.css';
import { ResultsHeader } from '../results/ResultsHeader';
import { ResultsColumn, SkeletonGrid } from '../results/ResultsLayout';
import type { Friend } from './useFriend';

const whichFriend = () => ({ title: t`Which one is your friend?`, action: t`Find my friend` });

/** The search for a friend, from the selfie to the photos. */
export function FriendViews({
  friend: { search, close },
  me,
  indexing,
}: {
  friend: Friend;
  /** The guest's own search: the friend may be in their selfie. */
  me: CompletedSearch;
  indexing: Indexing;
}) {
  const { state } = search;
  const camera = useCamera();
  const [inSelfie, setInSelfie] = useState(false);
  const choosing = inSelfie && state.phase === 'capture';
  useHistoryLayer(choosing, () => setInSelfie(false));
  useHistoryLayer(camera.Camera !== null, camera.close);
  const submit = (image: Blob) => {
    camera.close();
    setInSelfie(false);
    void search.submit(image);
  };
  const { strictness } = me.query;
  const [selfie] = me.query.selfies;

  if (state.phase === 'preparing' || state.phase === 'searching') {
    const running = state.phase === 'searching' ? state : null;
    return (
      <ResultsColumn aria-busy="true">
        <ResultsHeader
          preview={running?.query.selfies[0]?.preview ?? null}
          title={t`Looking for your friend`}
          status={searchingText()}
        />
        <SearchProgress retryAt={running?.retryAt ?? null} onCancel={search.cancel} />
        <SkeletonGrid />
      </ResultsColumn>
    );
  }
  if (state.phase === 'choosing') {
    return (
      <FaceChooser
        {...whichFriend()}
        preview={state.query.selfies[0]?.preview ?? null}
        faces={state.result.faces}
        onFind={search.chooseFace}
        onNewPhoto={search.reset}
        onPick={submit}
      />
    );
  }
  if (choosing && selfie !== undefined) {
    return (
      <FaceChooser
        {...whichFriend()}
        preview={selfie.preview}
        faces={me.result.faces}
        except={me.query.face ?? 0}
        onFind={(face) => {
          setInSelfie(false);
          search.find({ selfies: [selfie], kept: null, face, strictness, rejected: [] });
        }}
        onNewPhoto={() => setInSelfie(false)}
        onPick={submit}
      />
    );
  }

  const failure = state.phase === 'failed' ? state.failure : null;
  const arriving = indexing.waiting > 0 || indexing.total === 0;
  const { Camera } = camera;
  return (
    <ResultsColumn>
      <div className={styles['sheet']}>
        <ViewTitle component="h1">{t`Add a friend`}</ViewTitle>
        <p className={text['subtitle']}>
          {t`Take a selfie of your friend, and see the photos that have both of you.`}
        </p>
        {failure !== null && <Alert tone="error">{failure.text}</Alert>}
        {failure?.transient === true && (
          <Button look="outlined" size="large" onClick={search.searchAgain}>
            <Icon name="refresh" />
            {t`Search Again`}
          </Button>
        )}
        {failure?.code === 'no_matches' && arriving && (
          <Button look="outlined" size="large" onClick={() => close(true)}>
            {t`Keep looking while photos arrive`}
          </Button>
        )}
        <div className={styles['privacy']}>
          <Icon name="lock" />
          <span>
            {privacyNoticeText()} <a href="/privacy">{t`Privacy`}</a>
          </span>
        </div>
        {camera.failure === null ? (
          <Button look="filled" size="large" disabled={camera.opening} onClick={() => void camera.open()}>
            <Icon name="camera" size={24} />
            {t`Open camera`}
          </Button>
        ) : (
          <>
            <Alert tone="warning">{cameraFailureText(camera.failure)}</Alert>
            <PhotoPicker look="big" capture onPick={submit}>
              <Icon name="camera" size={24} />
              {t`Choose a photo`}
            </PhotoPicker>
          </>
        )}
        {selfie !== undefined && me.result.faces.length > 1 && (
          <Button look="outlined" size="large" onClick={() => setInSelfie(true)}>
            {t`Choose a face in my selfie`}
          </Button>
        )}
        <div className={styles['others']}>
          <PhotoPicker look="link" onPick={submit}>
            {t`upload a photo`}
          </PhotoPicker>
          <Button onClick={() => close()}>{t`Back to your photos`}</Button>
        </div>
      </div>
      {Camera !== null && (
        <Camera onPhoto={submit} onPick={submit} onUnavailable={camera.fail} onClose={camera.close} />
      )}
    </ResultsColumn>
  );
}
