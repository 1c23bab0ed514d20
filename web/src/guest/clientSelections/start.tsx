/** The page of a client's selection with its messages, which guests do not need. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';
import type { LinkedPage } from '../linkedPage';
import { addResultsMessages } from '../resultsMessages';

const load = loaderOf(
  import.meta.glob<Messages>('../../../locales/*/client-selections.po', { import: 'messages' }),
);

export async function importSelectionPage() {
  const [{ SelectionPage }, { MatchGrid, ShownPhotosContext }] = await Promise.all([
    import('./SelectionPage'),
    // With an import of its own, what it shares with the first load would be split from that, and compress worse.
    import('../FoundPhotos'),
    addMessages(load),
    addResultsMessages(),
  ]);
  const grid = { MatchGrid, ShownPhotosContext };
  return { default: (props: { link: LinkedPage }) => <SelectionPage {...props} grid={grid} /> };
}
