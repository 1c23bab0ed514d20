import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { PublicEvent } from '../platform/api/types';
import { useBarTone } from '../ui/barTone';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import type { BrowsingView } from './browsing/AllPhotos';
import { StartSheet } from './capture/StartSheet';
import { useCamera } from './capture/useCamera';
import { Cover } from './Cover';
import { useInAppBrowser } from './downloads/useInAppBrowser';
import { access } from './pin/access';
import { parseIndexing } from './search/matches';
import { previousOf, shownSearchOf } from './search/search';
import { type FaceSearch, useFaceSearch } from './search/useFaceSearch';
import { SplitLayout } from './SplitLayout';
import { UnloadedView } from './UnloadedView';
import { useFocusHeadingOnChange } from './useFocusHeadingOnChange';
import { useHistoryLayer } from './useHistoryLayer';
import { importFoundViews, importSearchViews, useLazyViews } from './useLazyViews';

/**
 * The phases in the browser's history: Back closes the camera, leaves the capture view of another selfie for the results,
 * and a search or its results for the start. Forward shows results again that were left.
 */
function usePhaseHistory({ state, reset, showPrevious }: FaceSearch, camera: ReturnType<typeof useCamera>) {
  const adding = (state.phase === 'capture' || state.phase === 'preparing') && state.adding;
  const leavable = state.phase !== 'capture' || state.adding;
  useHistoryLayer(leavable, reset, () => {
    if (state.phase !== 'capture' || state.previous === null) return false;
    showPrevious();
    return true;
  });
  useHistoryLayer(adding, showPrevious);
  useHistoryLayer(camera.Camera !== null, camera.close);
}

/** The event with all states of the face search. */
export function FindYourPhotos({ event, slug }: { event: PublicEvent; slug: string }) {
  const search = useFaceSearch(slug);
  const inApp = useInAppBrowser();
  const camera = useCamera();
  // Whether the last selfie came from the page's camera, which another one then opens at once.
  const [usesCamera, setUsesCamera] = useState(false);
  const [Browsing, setBrowsing] = useState<BrowsingView>(null);
  const showBrowsing = (view: BrowsingView) => setBrowsing(() => view);
  const { state } = search;
  const indexing = parseIndexing(event.indexing);
  const searching = state.phase === 'searching' || state.phase === 'preparing';
  const inColumn = searching || state.phase === 'results' || Browsing !== null;
  useDocumentTitle(event.name);
  useBarTone(inColumn ? 'quiet' : 'sky');
  usePhaseHistory(search, camera);

  const cover = <Cover event={event} />;
  const withCamera = (begin: () => void) => () => {
    begin();
    if (usesCamera && camera.failure === null) void camera.open();
  };
  const takeNewPhoto = withCamera(search.reset);
  const addSelfie = withCamera(search.addSelfie);
  const submitFile = (file: File) => {
    camera.close();
    setUsesCamera(false);
    void search.submit(file);
  };
  const submitPhoto = (photo: Blob) => {
    camera.close();
    setUsesCamera(true);
    void search.submit(photo);
  };

  const previous = previousOf(state);
  const shown = shownSearchOf(state);
  // Results come up over it where a photo was added to a search without any; what follows them is not all photos again.
  if (shown !== null && Browsing !== null) setBrowsing(null);
  const isFound = shown !== null || state.phase === 'choosing';
  const { views: found, ...foundViews } = useLazyViews(importFoundViews, isFound, 'interaction');
  const isSearch = (searching && shown === null) || state.phase === 'failed';
  const { views: searchViews, ...lazySearch } = useLazyViews(importSearchViews, isSearch, 'firstPaint');
  const loaded = (!isFound || found !== null) && (!isSearch || searchViews !== null);
  useFocusHeadingOnChange(inColumn && loaded ? `column ${search.completedSearches}` : state.phase);
  const onBrowse = event.browsable && indexing.total > 0 ? showBrowsing : undefined;
  const view = () => {
    if (Browsing !== null && (state.phase === 'capture' || state.phase === 'failed'))
      return (
        <Browsing event={event} slug={slug} search={search} inApp={inApp !== null} onShow={showBrowsing} />
      );
    switch (state.phase) {
      case 'preparing':
      case 'searching':
        return (
          searchViews !== null && (
            <searchViews.SearchingView
              preview={state.phase === 'searching' ? (state.query.selfies[0]?.preview ?? null) : null}
              photos={indexing.indexed}
              retryAt={state.phase === 'searching' ? state.retryAt : null}
              onCancel={search.cancel}
            />
          )
        );
      case 'choosing':
        return (
          found !== null && (
            <found.FaceChooser
              preview={state.query.selfies[0]?.preview ?? null}
              faces={state.result.faces}
              onFind={search.chooseFace}
              onNewPhoto={takeNewPhoto}
              onPick={submitFile}
            />
          )
        );
      case 'failed':
        return (
          searchViews !== null && (
            <searchViews.FailedView
              cover={cover}
              event={event}
              query={state.query}
              failure={state.failure}
              indexing={indexing}
              subscriptionToken={state.result?.subscriptionToken ?? null}
              blurred={state.result?.blurred ?? false}
              search={search}
              onBrowse={onBrowse}
              onNewPhoto={takeNewPhoto}
              onPick={submitFile}
            />
          )
        );
      default: {
        const { Camera } = camera;
        return (
          <>
            <SplitLayout labelledBy="find-your-photos" image={cover}>
              <StartSheet
                slug={slug}
                event={event}
                adds={event.takes_guest_photos ? access : undefined}
                tells={event.tells_guests === 'on'}
                titleId="find-your-photos"
                adding={state.phase === 'capture' && state.adding}
                indexing={indexing}
                cameraFailure={camera.failure}
                opening={camera.opening}
                inApp={inApp}
                onBrowse={onBrowse}
                onOpenCamera={() => void camera.open()}
                onPick={submitFile}
                onBack={
                  state.phase === 'capture' && state.previous !== null ? search.showPrevious : undefined
                }
              />
            </SplitLayout>
            {Camera !== null && (
              <Camera
                onPhoto={submitPhoto}
                onPick={submitFile}
                onUnavailable={camera.fail}
                onClose={camera.close}
              />
            )}
          </>
        );
      }
    }
  };
  if (isFound && found === null) {
    const text = t`Your photos were found, but could not be loaded over this connection.`;
    return <UnloadedView text={text} onRetry={foundViews.failed ? foundViews.tryAgain : undefined} />;
  }
  return (
    <>
      {searchViews !== null && <searchViews.NewMatches slug={slug} search={search} indexing={indexing} />}
      {previous !== null && found !== null && (
        <found.FoundPhotos
          event={event}
          inApp={inApp}
          found={shown ?? previous}
          shown={shown !== null}
          left={state.phase === 'capture' && !state.adding}
          running={state.phase === 'searching' ? state : null}
          search={search}
          indexing={indexing}
          onNewPhoto={takeNewPhoto}
          onAddSelfie={addSelfie}
          onPick={submitFile}
        />
      )}
      {isSearch && searchViews === null ? (
        <UnloadedView
          text={state.phase === 'failed' ? state.failure.text : null}
          onRetry={lazySearch.failed ? lazySearch.tryAgain : undefined}
        />
      ) : (
        shown === null && view()
      )}
    </>
  );
}
