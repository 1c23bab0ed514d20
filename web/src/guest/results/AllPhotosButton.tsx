import { allPhotosText } from '../../platform/stackTexts';
import { Icon } from '../../ui/Icon';
import type { Stacks } from '../../ui/useStacks';
import { Button } from '../Button';
import type { Downloads } from '../downloads/useDownloads';
import type { Match } from '../search/matches';

/** Shows all photos where the best stands for others that are like it, or only the best of each again. */
export const AllPhotosButton = ({
  count,
  stacks: { allOpen, toggleAll },
  downloads,
}: {
  /** How many photos there are. */
  count: number;
  stacks: Pick<Stacks<Match>, 'allOpen' | 'toggleAll'>;
  /** Of the photos that are shown: what was fetched of them is not of these any more. */
  downloads: Pick<Downloads, 'restartShare'>;
}) => (
  <Button
    look={allOpen ? 'filled' : 'outlined'}
    size="pill"
    aria-pressed={allOpen}
    onClick={() => {
      downloads.restartShare();
      toggleAll();
    }}
  >
    <Icon name="grid" size={16} />
    {allPhotosText(count)}
  </Button>
);
