import { t } from '@lingui/core/macro';
import { SelfiePreview } from '../capture/SelfiePreview';
import { Button } from '../Button';
import { SegmentedControl } from '../SegmentedControl';
import type { FaceBox } from '../search/matches';
import { type Group, groups } from './groups';
import styles from './GroupSwitch.module.css';

function labelOf(group: Group, count: number): string {
  switch (group) {
    case 'both':
      return t`Both together (${count})`;
    case 'either':
      return t`Either of us (${count})`;
    case 'me':
      return t`Me (${count})`;
    case 'friend':
      return t`My friend (${count})`;
  }
}

/** Whose photos are shown, with their numbers. */
export function GroupSwitch({
  value,
  counts,
  preview,
  face,
  onChange,
  onRemove,
}: {
  value: Group;
  counts: Record<Group, number>;
  /** The friend's selfie. */
  preview: string | null;
  face: FaceBox | null;
  onChange: (group: Group) => void;
  /** Ends the search for the friend. */
  onRemove: () => void;
}) {
  return (
    <div className={styles['row']}>
      <SegmentedControl
        label={t`Whose photos`}
        options={groups.map((group) => ({ value: group, label: labelOf(group, counts[group]) }))}
        value={value}
        onChange={onChange}
      />
      <div className={styles['friend']}>
        <SelfiePreview preview={preview} face={face} size={36} alt={t`Your friend’s selfie`} />
        <Button onClick={onRemove}>{t`Remove my friend`}</Button>
      </div>
    </div>
  );
}
