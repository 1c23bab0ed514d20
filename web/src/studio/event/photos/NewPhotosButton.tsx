import { plural } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

/** Says how many photos have arrived, above the grid and without moving it. */
export function NewPhotosButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Box
      role="status"
      sx={(theme) => ({
        position: 'sticky',
        // Below the navigation bar and the progress of uploads, or what is selected.
        top: 'var(--covered-top, 122px)',
        zIndex: theme.zIndex.appBar - 2,
        height: 0,
        display: 'flex',
        justifyContent: 'center',
        alignItems: 'flex-start',
      })}
    >
      {count > 0 && (
        <Button
          variant="contained"
          color="ink"
          onClick={onShow}
          sx={(theme) => ({ borderRadius: 999, boxShadow: theme.vars.palette.shadow.menu })}
        >
          {plural(count, { one: '# new photo', other: '# new photos' })}
        </Button>
      )}
    </Box>
  );
}
