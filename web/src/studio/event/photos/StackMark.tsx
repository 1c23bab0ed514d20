import { t } from '@lingui/core/macro';
import ButtonBase from '@mui/material/ButtonBase';
import type { Stacked } from '../../../platform/stacks';
import { stackText } from '../../../platform/stackTexts';
import { Icon } from '../../../ui/Icon';

/** On a photo that is like others of the list: how many more there are and what shows them, or what makes it stand for them. */
export function StackMark({
  stack,
  name,
  onToggle,
  onBest,
}: {
  stack: Stacked;
  name: string;
  onToggle: () => void;
  /** Null for whoever does not choose the best. */
  onBest: (() => void) | null;
}) {
  if (!stack.isBest && onBest === null) return null;
  const label = stack.isBest ? stackText(stack) : t`Use ${name} as the best`;
  return (
    <ButtonBase
      aria-label={label}
      title={label}
      aria-expanded={stack.isBest ? stack.isOpen : undefined}
      onClick={stack.isBest ? onToggle : (onBest ?? undefined)}
      sx={{
        position: 'absolute',
        bottom: 0,
        left: 0,
        minWidth: 44,
        minHeight: 44,
        p: '6px',
        alignItems: 'flex-end',
        justifyContent: 'flex-start',
        '& span:first-of-type': {
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'center',
          gap: '4px',
          minWidth: 28,
          minHeight: 26,
          px: '8px',
          borderRadius: '999px',
          fontSize: 13,
          fontWeight: 600,
          lineHeight: 1,
          fontVariantNumeric: 'tabular-nums',
          color: '#FFFFFF',
          backgroundColor: 'rgb(14 14 14 / .72)',
        },
        '&:hover span:first-of-type': { backgroundColor: 'rgb(14 14 14 / .9)' },
      }}
    >
      <span>
        {!stack.isBest && <Icon name="star" size={16} />}
        {stack.isBest && (stack.isOpen ? <Icon name="close" size={14} /> : '+')}
        {stack.isBest && (stack.isOpen ? stack.size : stack.size - 1)}
      </span>
    </ButtonBase>
  );
}
