import type { ComponentProps } from 'react';
import { ResultsView } from './results/ResultsView';
import { useNotMe } from './results/useNotMe';
import { savingMethod } from './saving/platform';
import { useDownloads } from './saving/useDownloads';

const notMeText = "That's not me";

/** The results of a search. They stay mounted while the guest takes another selfie, so that running downloads go on. */
export function FoundPhotos({
  found,
  shown,
  ...props
}: Omit<ComponentProps<typeof ResultsView>, 'downloads' | 'actionsOf'> & { shown: boolean }) {
  const downloads = useDownloads(savingMethod(props.inApp !== null));
  const takeOut = useNotMe();
  if (!shown) return null;
  return (
    <ResultsView
      {...props}
      found={found}
      downloads={downloads}
      actionsOf={(match) => [{ label: notMeText, run: () => takeOut(props.search, found.result, match) }]}
    />
  );
}
