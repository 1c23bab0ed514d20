import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { useSnackbar } from '../../ui/useSnackbar';
import { topModal } from '../../ui/useTopModal';
import type { Action } from '../results/ActionSheet';
import { type Match, matchId } from '../search/matches';
import { type CompletedSearch, previousOf } from '../search/search';
import type { FaceSearch } from '../search/useFaceSearch';
import { MissedPhoto } from './MissedPhoto';

/** The guest's last search, also where it found nothing. */
function lastOf({ state }: FaceSearch): CompletedSearch | null {
  if (state.phase === 'failed' && state.result !== null) return { query: state.query, result: state.result };
  return previousOf(state);
}

/** For photos of all guests: the way to say that one's search has missed this one. */
export function useMissedPhotos(
  slug: string,
  search: FaceSearch,
): { actionsOf: (match: Match) => readonly Action[]; sheet: ReactNode } {
  const show = useSnackbar();
  // Within the viewer, which makes the page behind it inert.
  const [asked, setAsked] = useState<{ match: Match; place: Element } | null>(null);
  const mine = lastOf(search);
  const token = mine?.result.searchToken ?? null;
  // Also those that the guest has said they are not in: the search has not missed these.
  const known = new Set([
    ...(mine?.result.matches.map(matchId) ?? []),
    ...(mine?.query.rejected.map(({ photo }) => photo) ?? []),
  ]);
  const close = () => setAsked(null);
  return {
    actionsOf: (match) =>
      token === null || match.photo_id === null || known.has(matchId(match))
        ? []
        : [
            {
              label: t`I am missing in this one`,
              run: () => setAsked({ match, place: topModal() ?? document.body }),
            },
          ],
    sheet:
      asked !== null &&
      mine !== null &&
      token !== null &&
      createPortal(
        <MissedPhoto
          slug={slug}
          token={token}
          match={asked.match}
          onAdded={(added, downloadTokens) => {
            // Another photo may be asked about by now.
            setAsked((now) => (now === asked ? null : now));
            search.mergeResult(mine.query, { ...mine.result, matches: [added], downloadTokens });
            show({ tone: 'success', text: t`The photo is among yours now.` });
          }}
          onClose={close}
        />,
        asked.place,
      ),
  };
}
