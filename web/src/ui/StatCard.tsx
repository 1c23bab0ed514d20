import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';

/** A figure with label and caption. `highlighted` cards are dark with a lit line at the bottom. */
export function StatCard({
  label,
  figure,
  caption,
  rupees = false,
  highlighted = false,
}: {
  label: string;
  /** undefined while loading, null if it failed to load. */
  figure: string | null | undefined;
  caption: string;
  rupees?: boolean;
  highlighted?: boolean;
}) {
  return (
    <Card
      component="section"
      aria-label={label}
      sx={(theme) => ({
        position: 'relative',
        p: { xs: 4, md: '20px 22px' },
        ...(highlighted && {
          color: theme.vars.palette.room.text,
          backgroundColor: theme.vars.palette.room.ground,
          borderColor: theme.vars.palette.room.ground,
          '& p, & small': { color: '#B6B6B1' },
          '& > *': { position: 'relative', zIndex: 2 },
          '&::after': {
            content: '""',
            position: 'absolute',
            inset: 'auto -10% -2px -10%',
            height: 64,
            background: 'radial-gradient(60% 100% at 50% 100%, rgb(255 127 71 / .55), transparent 72%)',
          },
          '&::before': {
            content: '""',
            position: 'absolute',
            inset: 'auto 0 0 0',
            height: 2,
            zIndex: 1,
            background: `linear-gradient(90deg, transparent, ${theme.vars.palette.room.lit} 30%, ${theme.vars.palette.room.lit} 70%, transparent)`,
          },
          ...theme.applyStyles('dark', {
            backgroundColor: '#1B1614',
            borderColor: theme.vars.palette.divider,
          }),
        }),
      })}
    >
      <Typography component="p" variant="body2" color="textSecondary" sx={{ fontWeight: 500 }}>
        {label}
      </Typography>
      <Typography
        variant="figure"
        component="div"
        sx={{ fontSize: { xs: 34, md: 42 }, mt: { xs: 4, md: 5.5 }, mb: { xs: 2, md: 2.5 } }}
      >
        {figure === undefined ? (
          <Skeleton width="60%" height={42} />
        ) : figure === null ? (
          '–'
        ) : (
          <>
            {rupees && (
              <Box
                component="small"
                sx={{ mr: 0.75, fontSize: '0.62em', fontWeight: 500, color: 'text.disabled' }}
              >
                ₹
              </Box>
            )}
            {figure}
          </>
        )}
      </Typography>
      <Typography component="p" variant="caption" color="textDisabled">
        {caption}
      </Typography>
    </Card>
  );
}
