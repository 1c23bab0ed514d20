import type { ComponentProps } from 'react';
import { ResultsView } from './results/ResultsView';
import { savingMethod } from './saving/platform';
import { useDownloads } from './saving/useDownloads';

/** The results of a search. They stay mounted while the guest takes another selfie, so that running downloads go on. */
export function FoundPhotos({
  found,
  shown,
  ...props
}: Omit<ComponentProps<typeof ResultsView>, 'downloads'> & { shown: boolean }) {
  const downloads = useDownloads(savingMethod(props.inApp !== null));
  return shown ? <ResultsView {...props} found={found} downloads={downloads} /> : null;
}
