import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { type Match, matchId, type SearchResult, tokensOf } from '../search/matches';
import type { FaceSearch } from '../search/useFaceSearch';
import { addReport, removeReport, sendReports } from './notMeReports';

/**
 * Returns the function that takes a photo out of somebody's results and offers to undo that. The photographer's count is
 * changed once it cannot be undone any more.
 */
export function useNotMe() {
  const show = useSnackbar();
  // The photo of the message that offers to undo.
  const undoable = useRef<string | null>(null);
  useEffect(() => {
    void sendReports(null);
    const sendNow = () => void sendReports(null);
    const sendLater = () => void sendReports(undoable.current);
    window.addEventListener('pagehide', sendNow);
    window.addEventListener('online', sendLater);
    return () => {
      window.removeEventListener('pagehide', sendNow);
      window.removeEventListener('online', sendLater);
    };
  }, []);
  return useCallback(
    (search: Pick<FaceSearch, 'reject' | 'restore'>, result: SearchResult, match: Match) => {
      const id = matchId(match);
      const at = result.matches.findIndex((each) => matchId(each) === id);
      const found = result.matches[at];
      if (found === undefined) return;
      search.reject(match);
      if (match.photo_id !== null) addReport({ photo: match.photo_id, tokens: tokensOf(result, found) });
      undoable.current = match.photo_id;
      show({
        tone: 'success',
        text: t`The photo is no longer shown.`,
        action: {
          label: t`Undo`,
          run: () => {
            search.restore(match, at);
            if (match.photo_id !== null) removeReport(match.photo_id);
            show({ tone: 'success', text: t`The photo is back.` });
          },
        },
        onClose: () => {
          if (undoable.current === match.photo_id) undoable.current = null;
          void sendReports(undoable.current);
        },
      });
    },
    [show],
  );
}
