import Chip from '@mui/material/Chip';

export type ChipTone = 'quiet' | 'success' | 'warning' | 'error';

/** A state in a word, with a colour that says how serious it is. */
export function StateChip({ label, tone = 'quiet' }: { label: string; tone?: ChipTone }) {
  return (
    <Chip
      size="small"
      label={label}
      sx={(theme) => ({
        height: 24,
        ...(tone !== 'quiet' && {
          color: theme.vars.palette[tone].main,
          backgroundColor: theme.vars.palette.soft[tone],
        }),
      })}
    />
  );
}
