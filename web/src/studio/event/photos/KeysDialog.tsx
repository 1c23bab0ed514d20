import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';

const shortcuts = (): readonly (readonly [keys: string, does: string])[] => [
  ['← → ↑ ↓', t`Move from photo to photo`],
  [t`Enter`, t`Open the photo`],
  [t`Space`, t`Select the photo, or not`],
  [t`Shift + arrow, Shift + click`, t`Select up to a photo`],
  [t`Drag with the mouse`, t`Select what the rectangle touches`],
  [t`Ctrl + A, ⌘ + A`, t`Select all photos`],
  [t`Esc`, t`Clear selection`],
  [t`Delete`, t`Delete the selection`],
  ['F', t`In the viewer: show faces`],
  ['I', t`In the viewer: show details`],
  ['?', t`Show these keys`],
];

/** The keys of the gallery. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="gallery-keys-title">
      <DialogTitle id="gallery-keys-title">{t`Keys of the gallery`}</DialogTitle>
      <DialogContent>
        <Box
          component="dl"
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '1fr', sm: 'auto 1fr' },
            gap: { xs: '0 20px', sm: '10px 20px' },
            m: 0,
            mt: 2,
            '& dt': { fontWeight: 600 },
            '& dd': { m: 0, mb: { xs: 2, sm: 0 }, color: 'text.secondary' },
          }}
        >
          {shortcuts().map(([keys, does]) => (
            <Box key={keys} sx={{ display: 'contents' }}>
              <dt>{keys}</dt>
              <dd>{does}</dd>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t`Close`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
