import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { storedPreview, storedSearch } from '../../shared/storage';
import type { Answer } from './matches';
import { failureOf, searchFaces } from './requests';
import { remember, restore } from './savedSearch';
import {
  matchesText,
  outcomeOf,
  type Query,
  queryOf,
  reduce,
  type SearchState,
  selfieLimit,
  type Strictness,
} from './search';
import { prepareSelfie } from './selfies';
import { inTurn } from './turns';

export interface FaceSearch {
  state: SearchState;
  /** Counts the searches that ended in this visit, so that the page can scroll to what a new one found. */
  arrivals: number;
  /** Searches with a file, a capture or a data-URL image; beside the earlier selfies where one is being added. */
  submit: (image: unknown) => Promise<void>;
  choose: (face: number) => void;
  setStrictness: (strictness: Strictness) => void;
  again: () => void;
  /** Takes in photos that were found since, without a word of waiting. */
  join: (query: Query, answer: Answer) => void;
  /** Searches again without a word, for an answer with fresh links; answers its token for the ZIP. */
  renew: (signal: AbortSignal) => Promise<string | null>;
  addSelfie: () => void;
  leaveCapture: () => void;
  reset: () => void;
}

/** The face search of one event: what is asked, what came back, and what the tab keeps of it. */
export function useFaceSearch(slug: string): FaceSearch {
  const stores = useMemo(() => ({ search: storedSearch(slug), preview: storedPreview(slug) }), [slug]);
  const [state, dispatch] = useReducer(reduce, stores, restore);
  const [arrivals, setArrivals] = useState(0);
  const running = useRef<AbortController | null>(null);
  const show = useSnackbar();

  useEffect(() => remember(stores, state), [stores, state]);
  useEffect(() => () => running.current?.abort(), []);

  const tell = useCallback(
    (query: Query, answer: Answer) => {
      const outcome = outcomeOf(query, answer);
      if (outcome.phase === 'results') show({ tone: 'success', text: matchesText(answer.matches.length) });
      if (outcome.phase === 'failed') show({ tone: 'error', text: outcome.failure.text });
      setArrivals((count) => count + 1);
    },
    [show],
  );

  const run = useCallback(
    async (query: Query) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      dispatch({ type: 'submitted', query });
      try {
        const answer = await inTurn(
          () => searchFaces(slug, query, controller.signal),
          (startsAt) => dispatch({ type: 'put off', query, startsAt }),
          controller.signal,
        );
        if (controller.signal.aborted) return;
        dispatch({ type: 'answered', query, answer });
        tell(query, answer);
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = failureOf(error);
        dispatch({ type: 'refused', query, failure });
        show({ tone: 'error', text: failure.text });
      }
    },
    [slug, show, tell],
  );

  const query = queryOf(state);
  const ask = (change: Partial<Query>) => {
    if (query !== null) void run({ ...query, ...change });
  };

  return {
    state,
    arrivals,
    submit: async (image) => {
      try {
        const selfie = await prepareSelfie(image);
        const kept = state.phase === 'capture' ? (state.before?.query ?? null) : null;
        await run(
          kept === null
            ? { selfies: [selfie], face: null, strictness: query?.strictness ?? 'normal' }
            : { ...kept, selfies: [...kept.selfies, selfie].slice(0, selfieLimit) },
        );
      } catch (error) {
        if (error instanceof Error) show({ tone: 'error', text: error.message });
      }
    },
    choose: (face) => {
      if (state.phase !== 'choosing') return;
      if (face > 0) {
        ask({ face });
        return;
      }
      dispatch({ type: 'face confirmed' });
      tell({ ...state.query, face: 0 }, state.answer);
    },
    setStrictness: (strictness) => ask({ strictness }),
    again: () => ask({}),
    join: useCallback((asked, answer) => dispatch({ type: 'joined', query: asked, answer }), []),
    renew: async (signal) => {
      if (query === null) return null;
      const answer = await searchFaces(slug, query, signal);
      dispatch({ type: 'joined', query, answer });
      return answer.downloadToken;
    },
    addSelfie: () => dispatch({ type: 'another selfie wanted' }),
    leaveCapture: () => dispatch({ type: 'capture left' }),
    reset: () => {
      running.current?.abort();
      dispatch({ type: 'reset' });
      show(null);
    },
  };
}
