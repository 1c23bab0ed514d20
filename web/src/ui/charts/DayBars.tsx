import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { formatCount } from '../../platform/formats';
import { formatShortDate } from '../../platform/shortDates';

/** In px, of a chart that is not stretched. */
const height = 72;
const step = 10;
const bar = 6;
/** The bar of a day on which nothing happened. */
const minBarHeight = 2;

/** The height of a chart with its labels, in px. */
export const dayBarsHeight = height + 42;

/** A bar for each day, under the sum of all of them; screen readers get `summary`, and a table that stands elsewhere. */
export function DayBars({
  label,
  total,
  summary,
  days,
  lastDay,
  lit = false,
}: {
  /** What is counted, after its number. */
  label: string;
  total: number;
  /** The chart in a sentence. */
  summary: string;
  /** Dates as YYYY-MM-DD, oldest first. */
  days: readonly { date: string; value: number }[];
  /** What stands at the end of the axis. */
  lastDay: string;
  lit?: boolean;
}) {
  const most = Math.max(1, ...days.map(({ value }) => value));
  return (
    <Box role="group" aria-label={label} sx={{ minWidth: 0 }}>
      <Typography component="p" sx={{ fontSize: 14, color: 'text.secondary' }}>
        <Box
          component="b"
          sx={{ mr: 1.5, fontSize: 20, fontWeight: 600, fontFamily: 'h3.fontFamily', color: 'text.primary' }}
        >
          {formatCount(total)}
        </Box>
        {label}
      </Typography>
      <Box
        component="svg"
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${days.length * step - (step - bar)} ${height}`}
        preserveAspectRatio="none"
        sx={{ display: 'block', width: '100%', height, mt: 3, overflow: 'visible' }}
      >
        {days.map(({ date, value }, index) => {
          const tall = value === 0 ? minBarHeight : Math.max(5, (height * value) / most);
          return (
            <Box
              key={date}
              component="rect"
              x={index * step}
              y={height - tall}
              width={bar}
              height={tall}
              sx={(theme) => ({
                fill:
                  value === 0
                    ? theme.vars.palette.divider
                    : lit
                      ? theme.vars.palette.primary.main
                      : theme.vars.palette.text.primary,
              })}
            >
              <title>{`${formatShortDate(date)}: ${formatCount(value)}`}</title>
            </Box>
          );
        })}
      </Box>
      <Box
        aria-hidden="true"
        sx={{ display: 'flex', justifyContent: 'space-between', mt: 2, fontSize: 13, color: 'text.disabled' }}
      >
        <span>{formatShortDate(days[0]?.date ?? '')}</span>
        <span>{lastDay}</span>
      </Box>
    </Box>
  );
}
