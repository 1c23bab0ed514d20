import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { PublicEvent } from '../../shared/api/types';
import { useBarTone } from '../../shared/components/barTone';
import { useDocumentTitle } from '../../shared/components/Page';
import { type CameraFailure, hasCamera } from './camera';
import type CameraView from './CameraView';
import { Cover } from './Cover';
import { FaceChooser } from './FaceChooser';
import { FailedView } from './FailedView';
import { parseIndexing } from './matches';
import { Panes } from './Panes';
import { ResultsView } from './ResultsView';
import { SearchingView } from './SearchingView';
import { StartSheet } from './StartSheet';
import { useArrivingPhotos } from './useArrivingPhotos';
import { useDownloads } from './useDownloads';
import { type FaceSearch, useFaceSearch } from './useFaceSearch';

const loadCamera = () => import('./CameraView');

type Camera = ComponentType<Parameters<typeof CameraView>[0]>;

/** The capture view's camera: its code comes at the first touch of the page, the stream when it is asked for. */
function useCamera() {
  const [Camera, setCamera] = useState<Camera | null>(null);
  const [opening, setOpening] = useState(false);
  const [failure, setFailure] = useState<CameraFailure | null>(() => (hasCamera() ? null : 'missing'));
  return {
    Camera,
    opening,
    failure,
    open: async () => {
      setOpening(true);
      try {
        const { default: View } = await loadCamera();
        setCamera(() => View);
      } catch {
        setFailure('unloaded');
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

/** At the first touch of the page fetches the camera's code: later the network may be gone, and the first load is not to carry it. */
function useCameraCodeAhead(): void {
  useEffect(() => {
    const fetchIt = () => {
      window.removeEventListener('pointerdown', fetchIt);
      window.removeEventListener('keydown', fetchIt);
      loadCamera().catch(() => {
        // It is asked for again, and missed aloud, where the camera is opened.
      });
    };
    window.addEventListener('pointerdown', fetchIt);
    window.addEventListener('keydown', fetchIt);
    return () => {
      window.removeEventListener('pointerdown', fetchIt);
      window.removeEventListener('keydown', fetchIt);
    };
  }, []);
}

/** After a view has changed, the focus goes to the new heading: the control that had it is gone. */
function useFocusOnChange(view: string): void {
  const last = useRef(view);
  useEffect(() => {
    if (last.current === view) return;
    last.current = view;
    document.querySelector<HTMLElement>('[data-view-title]')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [view]);
}

/** Searches again by itself once the network that was lost is back. */
function useRetryOnline({ state, again }: FaceSearch): void {
  const lost = state.phase === 'failed' && state.failure.code === 'network';
  const retry = useRef(again);
  useEffect(() => {
    retry.current = again;
  });
  useEffect(() => {
    if (!lost) return undefined;
    const listen = () => retry.current();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, [lost]);
}

/** The event with the face search in all its states. */
export function FindYourPhotos({ event, slug }: { event: PublicEvent; slug: string }) {
  const search = useFaceSearch(slug);
  const downloads = useDownloads();
  const camera = useCamera();
  const { state } = search;
  const indexing = parseIndexing(event.indexing);
  const inColumn = state.phase === 'searching' || state.phase === 'results';
  useDocumentTitle(event.name);
  useCameraCodeAhead();
  useBarTone(inColumn ? 'quiet' : 'sky');
  useArrivingPhotos(slug, search, indexing);
  useRetryOnline(search);
  useFocusOnChange(inColumn ? 'column' : state.phase);

  const cover = (
    <Cover slug={slug} name={event.name} date={event.date} description={event.description ?? null} />
  );
  const found = state.phase === 'results' ? state : state.phase === 'searching' ? state.before : null;
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
          startsAt={state.startsAt}
        />
      );
    case 'choosing':
      return (
        <FaceChooser
          preview={state.query.selfies[0]?.preview ?? null}
          faces={state.answer.faces}
          onFind={search.choose}
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
          <Panes labelledBy="find-your-photos" picture={cover}>
            <StartSheet
              titleId="find-your-photos"
              adding={state.phase === 'capture' && state.before !== null}
              indexing={indexing}
              cameraFailure={camera.failure}
              opening={camera.opening}
              onOpenCamera={() => void camera.open()}
              onPick={submit}
              onBack={search.leaveCapture}
            />
          </Panes>
          {Camera !== null && (
            <Camera onPhoto={submit} onPick={submit} onUnavailable={camera.fail} onClose={camera.close} />
          )}
        </>
      );
    }
  }
}
