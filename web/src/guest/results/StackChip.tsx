import type { Stacked } from '../../platform/stacks';
import { stackText } from '../../platform/stackTexts';
import { Icon } from '../../ui/Icon';
import styles from './MatchTile.module.css';

/** On a photo that stands for others: how many they are, and what shows them. */
export const StackChip = ({
  stack,
  tabIndex,
  onToggle,
}: {
  stack: Stacked;
  tabIndex: number | undefined;
  onToggle: () => void;
}) => (
  <button
    type="button"
    className={styles['stack']}
    tabIndex={tabIndex}
    aria-expanded={stack.isOpen}
    aria-label={stackText(stack)}
    onClick={onToggle}
  >
    <span>
      {stack.isOpen ? <Icon name="close" size={14} /> : '+'}
      {stack.isOpen ? stack.size : stack.size - 1}
    </span>
  </button>
);
