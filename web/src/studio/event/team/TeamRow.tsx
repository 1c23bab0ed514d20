import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A row of the team: who it is and as what, what is said of them, and what can be done. */
export function TeamRow({
  name,
  nameId,
  role,
  lines,
  children,
}: {
  name: string;
  /** By which buttons of the row are named. */
  nameId?: string;
  role: string;
  lines: readonly string[];
  children?: ReactNode;
}) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 4,
        rowGap: 2,
        mt: 4,
        pt: 4,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
          <Typography id={nameId} sx={{ fontWeight: 600, minWidth: 0 }}>
            {name}
          </Typography>
          <Chip size="small" label={role} />
        </Box>
        {lines.map((line) => (
          <Typography key={line} variant="body2" color="textSecondary">
            {line}
          </Typography>
        ))}
      </Box>
      {children !== undefined && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>{children}</Box>
      )}
    </Box>
  );
}
