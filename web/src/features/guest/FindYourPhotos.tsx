import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { PublicEvent } from '../../shared/api/types';
import { useBarTone } from '../../shared/components/barTone';
import { useDocumentTitle } from '../../shared/components/useDocumentTitle';
import { type CameraFailure, hasCamera } from './capture/camera';
import type CameraView from './capture/CameraView';
import { StartSheet } from './capture/StartSheet';
import { Cover } from './Cover';
import { ResultsView } from './results/ResultsView';
import { useDownloads } from './saving/useDownloads';
import { FaceChooser } from './search/FaceChooser';
import { FailedView } from './search/FailedView';
import { parseIndexing } from './search/matches';
import { SearchingView } from './search/SearchingView';
import { type FaceSearch, useFaceSearch } from './search/useFaceSearch';
import { useNewMatches } from './search/useNewMatches';
import { SplitLayout } from './SplitLayout';

const importCamera = () => import('./capture/CameraView');

type Camera = ComponentType<Parameters<typeof CameraView>[0]>;

/** The camera of the capture view; its chunk is imported when it is opened. */
function useCamera() {
  const [Camera, setCamera] = useState<Camera | null>(null);
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<CameraFailure | null>(() => (hasCamera() ? null : 'unsupported'));
  return {
    Camera,
    opening,
    failure,
    open: async () => {
      setOpening(true);
      try {
        const { default: View } = await importCamera();
        setCamera(() => View);
      } catch {
        setFailure('loadFailed');
      }
      setOpening(false);
    },
    close: () => setCamera(null),
    fail: (reason: CameraFailure) => {
      setCamera(null);
      setFailure(reason);
    },
  };
}

/** Preloads the camera chunk at the first interaction: not in the initial load, but before the network may be lost. */
function usePreloadCamera(): void {
  useEffect(() => {
    const preload = () => {
      window.removeEventListener('pointerdown', preload);
      window.removeEventListener('keydown', preload);
      importCamera().catch(() => {
        // It is imported again when the camera is opened, which shows the error.
      });
    };
    window.addEventListener('pointerdown', preload);
    window.addEventListener('keydown', preload);
    return () => {
      window.removeEventListener('pointerdown', preload);
      window.removeEventListener('keydown', preload);
    };
  }, []);
}

/** Moves the focus to the new heading when the view changes, because the focused control is unmounted. */
function useFocusHeadingOnChange(view: string): void {
  const last = useRef(view);
  useEffect(() => {
    if (last.current === view) return;
    last.current = view;
    document.querySelector<HTMLElement>('[data-view-title]')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [view]);
}

/** Repeats a search that failed with a network error once the browser is online again. */
function useRetryOnline({ state, searchAgain }: FaceSearch): void {
  const lost = state.phase === 'failed' && state.failure.code === 'network';
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

/** The event with all states of the face search. */
export function FindYourPhotos({ event, slug }: { event: PublicEvent; slug: string }) {
  const search = useFaceSearch(slug);
  const downloads = useDownloads();
  const camera = useCamera();
  const { state } = search;
  const indexing = parseIndexing(event.indexing);
  const inColumn = state.phase === 'searching' || state.phase === 'results';
  useDocumentTitle(event.name);
  usePreloadCamera();
  useBarTone(inColumn ? 'quiet' : 'sky');
  useNewMatches(slug, search, indexing);
  useRetryOnline(search);
  useFocusHeadingOnChange(inColumn ? 'column' : state.phase);

  const cover = (
    <Cover slug={slug} name={event.name} date={event.date} description={event.description ?? null} />
  );
  const found = state.phase === 'results' ? state : state.phase === 'searching' ? state.previous : null;
  if (found !== null) {
    return (
      <ResultsView
        eventName={event.name}
        found={found}
        searching={state.phase === 'searching'}
        search={search}
        downloads={downloads}
        indexing={indexing}
      />
    );
  }
  switch (state.phase) {
    case 'searching':
      return (
        <SearchingView
          preview={state.query.selfies[0]?.preview ?? null}
          photos={indexing.indexed}
          retryAt={state.retryAt}
        />
      );
    case 'choosing':
      return (
        <FaceChooser
          preview={state.query.selfies[0]?.preview ?? null}
          faces={state.result.faces}
          onFind={search.chooseFace}
          onNewPhoto={search.reset}
          onPick={(file) => void search.submit(file)}
        />
      );
    case 'failed':
      return (
        <FailedView
          cover={cover}
          query={state.query}
          failure={state.failure}
          indexing={indexing}
          search={search}
        />
      );
    default: {
      const { Camera } = camera;
      const submit = (image: Blob) => {
        camera.close();
        void search.submit(image);
      };
      return (
        <>
          <SplitLayout labelledBy="find-your-photos" image={cover}>
            <StartSheet
              titleId="find-your-photos"
              adding={state.phase === 'capture' && state.previous !== null}
              indexing={indexing}
              cameraFailure={camera.failure}
              opening={camera.opening}
              onOpenCamera={() => void camera.open()}
              onPick={submit}
              onBack={search.cancelCapture}
            />
          </SplitLayout>
          {Camera !== null && (
            <Camera onPhoto={submit} onPick={submit} onUnavailable={camera.fail} onClose={camera.close} />
          )}
        </>
      );
    }
  }
}
