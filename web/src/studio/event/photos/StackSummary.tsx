import { t } from '@lingui/core/macro';
import { allPhotosText, momentsText } from '../../../platform/stackTexts';
import { GridSummary } from './GridSummary';

/** How many photos and moments the event has where some are alike, and what shows all of them. */
export const StackSummary = ({
  photos,
  moments,
  allOpen,
  onToggle,
}: {
  photos: number;
  moments: number;
  /** Whether all photos are shown. */
  allOpen: boolean;
  onToggle: () => void;
}) => (
  <GridSummary
    text={momentsText(photos, moments)}
    action={allOpen ? t`Best of each` : allPhotosText(photos)}
    onAction={onToggle}
  />
);
