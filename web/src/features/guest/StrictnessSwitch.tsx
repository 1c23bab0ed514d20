import { styled } from '@mui/material/styles';
import type { Strictness } from './search';

const Group = styled('div')(({ theme }) => ({
  display: 'inline-grid',
  gridAutoFlow: 'column',
  padding: 3,
  borderRadius: 12,
  backgroundColor: theme.vars.palette.sunken,
  '& button': {
    minHeight: 44,
    padding: '0 14px',
    border: 0,
    borderRadius: 9,
    background: 'none',
    color: theme.vars.palette.text.secondary,
    font: 'inherit',
    fontSize: 14,
    fontWeight: 500,
    cursor: 'pointer',
  },
  '& button[aria-pressed=true]': {
    color: theme.vars.palette.text.primary,
    fontWeight: 600,
    backgroundColor: theme.vars.palette.background.paper,
    boxShadow: theme.vars.palette.shadow.low,
  },
}));

const steps: { strictness: Strictness; label: string }[] = [
  { strictness: 'strict', label: 'Show fewer' },
  { strictness: 'normal', label: 'Normal' },
  { strictness: 'loose', label: 'Show more' },
];

/** The strictness of the search, presented as the number of photos it shows. */
export function StrictnessSwitch({
  value,
  onChange,
}: {
  value: Strictness;
  onChange: (strictness: Strictness) => void;
}) {
  return (
    <Group role="group" aria-label="Show more / fewer photos">
      {steps.map(({ strictness, label }) => (
        <button
          key={strictness}
          type="button"
          aria-pressed={value === strictness}
          onClick={() => {
            if (value !== strictness) onChange(strictness);
          }}
        >
          {label}
        </button>
      ))}
    </Group>
  );
}
