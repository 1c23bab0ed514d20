import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PublicEvent } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import type { BrowsingView } from '../browsing/AllPhotos';
import { Button } from '../Button';
import { brightnessOfPicture, lightProblem } from '../capture/camera';
import OtherWays from '../capture/OtherWays';
import { PhotoPicker } from '../capture/PhotoPicker';
import { SelfiePreview } from '../capture/SelfiePreview';
import { Imported } from '../Imported';
import { IndexingProgress } from '../IndexingProgress';
import { SplitLayout } from '../SplitLayout';
import { TellMe } from '../subscriptions/views';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import { blurredSelfieText } from './blurredSelfie';
import styles from './FailedView.module.css';
import type { Indexing } from './matches';
import { isRepeatable, type SearchFailure, type SearchQuery } from './search';
import { StrictnessSwitch } from './StrictnessSwitch';
import type { FaceSearch } from './useFaceSearch';

const importEarly = async () => (await import('../subscriptions/start')).importEarly();

/** Repeats a search that failed with a network error once the browser is online again. */
function useRetryOnline(lost: boolean, searchAgain: () => void): void {
  const retry = useRef(searchAgain);
  useEffect(() => {
    retry.current = searchAgain;
  });
  useEffect(() => {
    if (!lost) return undefined;
    const listen = () => retry.current();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, [lost]);
}

/** What the light had to do with a picture in which nobody was found; null if nothing is known of it. */
function useLightProblem(preview: string | null): string | null {
  const [problem, setProblem] = useState<{ preview: string; text: string | null } | null>(null);
  useEffect(() => {
    if (preview === null) return undefined;
    let cancelled = false;
    void brightnessOfPicture(preview).then((brightness) => {
      if (!cancelled) setProblem({ preview, text: lightProblem(brightness) });
    });
    return () => {
      cancelled = true;
    };
  }, [preview]);
  return problem?.preview === preview ? problem.text : null;
}

/** A search without photos: the selfie, the reason and the possible actions. */
export function FailedView({
  cover,
  event,
  query,
  failure,
  indexing,
  subscriptionToken,
  blurred,
  search,
  onBrowse,
  onNewPhoto,
  onPick,
}: {
  cover: ReactNode;
  event: Pick<PublicEvent, 'slug' | 'expires_at' | 'complete' | 'coming_until'>;
  query: SearchQuery;
  failure: SearchFailure;
  indexing: Indexing;
  /** Of the search without photos, if it can be made a subscription. */
  subscriptionToken: string | null;
  /** Whether the selfie of the search without photos was blurred. */
  blurred: boolean;
  search: FaceSearch;
  /** Shows all photos; undefined where guests see only those that they are in. */
  onBrowse: ((view: BrowsingView) => void) | undefined;
  onNewPhoto: () => void;
  onPick: (file: File) => void;
}) {
  useRetryOnline(failure.code === 'network', search.searchAgain);
  const light = useLightProblem(failure.code === 'no_face' ? (query.selfies[0]?.preview ?? null) : null);
  const noMatches = failure.code === 'no_matches';
  // No search can find anything then: nothing has gone wrong.
  const nothingYet = noMatches && indexing.total === 0;
  const arriving = indexing.waiting > 0 || indexing.total === 0;
  // Another selfie helps only where the server has seen this one.
  const retrySamePhoto = failure.transient;
  // Results of a link are nobody's search here: there is no selfie to repeat it with.
  const repeatable = isRepeatable(query);
  return (
    <SplitLayout labelledBy="find-your-photos" image={cover}>
      <div className={styles['header']}>
        <SelfiePreview preview={query.selfies[0]?.preview ?? null} size={72} />
        <ViewTitle id="find-your-photos">{t`Find Your Photos`}</ViewTitle>
      </div>
      {nothingYet ? (
        <div role="status">
          <Imported
            from={importEarly}
            props={{ slug: event.slug, tells: subscriptionToken !== null, token: subscriptionToken }}
          />
        </div>
      ) : (
        <Alert tone="error">{failure.text}</Alert>
      )}
      {light !== null && <p className={text['small']}>{light}</p>}
      {noMatches && (
        <div className={styles['nothing']}>
          {blurred && <p className={text['small']}>{blurredSelfieText()}</p>}
          {arriving && !nothingYet && (
            <p className={text['small']}>
              {t`Photos are still being added. Leave this page open, or come back a little later.`}
            </p>
          )}
          <IndexingProgress indexing={indexing} />
          {!nothingYet && repeatable && (
            <StrictnessSwitch value={query.strictness} onChange={search.setStrictness} />
          )}
          {!nothingYet && <TellMe token={subscriptionToken} />}
        </div>
      )}
      <div className={styles['actions']}>
        <Button
          look={nothingYet ? 'outlined' : 'filled'}
          size="large"
          onClick={retrySamePhoto ? search.searchAgain : onNewPhoto}
        >
          <Icon name={retrySamePhoto ? 'refresh' : 'camera'} size={24} />
          {retrySamePhoto ? t`Search Again` : t`Take New Photo`}
        </Button>
        <div className={styles['others']}>
          {!nothingYet && repeatable && (
            <Button onClick={retrySamePhoto ? onNewPhoto : search.searchAgain}>
              <Icon name={retrySamePhoto ? 'camera' : 'refresh'} />
              {retrySamePhoto ? t`Take New Photo` : t`Search Again`}
            </Button>
          )}
          <PhotoPicker look="link" onPick={onPick}>
            {t`upload a different photo`}
          </PhotoPicker>
        </div>
        {noMatches && (
          <OtherWays
            slug={event.slug}
            event={event}
            selfie={
              query.selfies[0] === undefined ? null : { selfie: query.selfies[0], face: query.face ?? 0 }
            }
            onBrowse={onBrowse}
          />
        )}
      </div>
    </SplitLayout>
  );
}
