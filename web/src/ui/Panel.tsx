import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** A card with its heading, what stands beside it, and a note below. */
export function Panel({
  title,
  note,
  aside,
  children,
}: {
  title: string;
  note?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ minWidth: 0, p: { xs: 4, md: 6 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mb: 3 }}>
        <Box sx={{ flex: 1, minWidth: 180 }}>
          <Typography variant="h3" component="h2" id={titleId}>
            {title}
          </Typography>
          {note !== undefined && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
              {note}
            </Typography>
          )}
        </Box>
        {aside}
      </Box>
      {children}
    </Card>
  );
}

export interface Fact {
  label: string;
  value: ReactNode;
  /** It sums up what is above it. */
  total?: boolean;
}

/** Names and values under each other, the values at the end of the line. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <Box component="dl" sx={{ m: 0, fontSize: 14 }}>
      {facts.map(({ label, value, total }) => (
        <Box
          key={label}
          sx={{
            display: 'flex',
            justifyContent: 'space-between',
            gap: 4,
            py: 2,
            'div + &': { borderTop: 1, borderColor: total === true ? 'control' : 'divider' },
          }}
        >
          <Box component="dt" sx={{ flex: 'none', maxWidth: '60%', color: 'text.secondary' }}>
            {label}
          </Box>
          <Box
            component="dd"
            sx={{
              m: 0,
              minWidth: 0,
              textAlign: 'right',
              fontWeight: 600,
              fontVariantNumeric: 'tabular-nums',
              overflowWrap: 'anywhere',
            }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
