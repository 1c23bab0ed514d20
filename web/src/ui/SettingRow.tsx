import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** Settings of one kind, under a heading that an address can name. */
export function SettingGroup({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <Card
      component="section"
      id={id}
      aria-labelledby={titleId}
      sx={{ px: { xs: 4, sm: 6 }, pt: 5, pb: 2.5, scrollMarginTop: 84 }}
    >
      <Typography variant="h3" component="h2" id={titleId}>
        {title}
      </Typography>
      {children}
    </Card>
  );
}

/** A setting: what it does, and its control. */
export function SettingRow({
  title,
  hint,
  titleId,
  hintId,
  stacked = false,
  children,
}: {
  title: ReactNode;
  hint?: ReactNode;
  titleId?: string;
  hintId?: string;
  /** The control stands below. */
  stacked?: boolean;
  children?: ReactNode;
}) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: stacked ? 'stretch' : 'center',
        flexDirection: stacked ? 'column' : 'row',
        columnGap: 4,
        rowGap: 1,
        minHeight: 64,
        py: 2.5,
        borderTop: 1,
        borderColor: 'divider',
        'h2 + &': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: stacked ? 'none' : 1, minWidth: 0 }}>
        <Box id={titleId} sx={{ fontSize: 15, fontWeight: 600 }}>
          {title}
        </Box>
        {hint !== undefined && (
          <Typography
            id={hintId}
            component="div"
            variant="caption"
            color="textDisabled"
            sx={{ mt: '1px', overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
          >
            {hint}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  );
}
