import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { Theme } from '@mui/material/styles';
import { useState } from 'react';
import { Link } from 'react-router';

/** Up to two letters, for the avatar. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

export function AccountMenu({ name, onLogout }: { name: string; onLogout: () => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        aria-label={t`Account, ${{ initials: initialsOf(name) }}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ display: { xs: 'none', md: 'inline-flex' }, color: 'inherit' }}
      >
        <Box
          component="span"
          aria-hidden="true"
          sx={{
            width: 32,
            height: 32,
            flex: 'none',
            borderRadius: '50%',
            display: 'grid',
            placeItems: 'center',
            fontSize: 13,
            fontWeight: 600,
            backgroundColor: 'currentcolor',
          }}
        >
          <Box component="span" sx={{ color: 'var(--bar-contrast)' }}>
            {initialsOf(name)}
          </Box>
        </Box>
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': t`Account` }, paper: { sx: { mt: 1, minWidth: 200 } } }}
      >
        <MenuItem component={Link} to="/admin/account" onClick={close}>
          {t`Profile Settings`}
        </MenuItem>
        <MenuItem
          onClick={() => {
            close();
            onLogout();
          }}
        >
          {t`Logout`}
        </MenuItem>
      </Menu>
    </>
  );
}

const collapsedItem = (theme: Theme) => ({
  display: 'flex',
  justifyContent: 'flex-start',
  width: '100%',
  minHeight: 48,
  px: 3.5,
  borderRadius: '10px',
  fontSize: 16,
  fontWeight: 500,
  color: theme.vars.palette.text.primary,
  '&:hover': { backgroundColor: theme.vars.palette.hover },
});

/** The account items in the collapsed menu of a narrow bar. */
export function AccountMenuItems({ onLogout }: { onLogout: () => void }) {
  return (
    <Box sx={{ mt: 1.5, pt: 1.5, borderTop: 1, borderColor: 'divider' }}>
      <ButtonBase component={Link} to="/admin/account" sx={collapsedItem}>
        {t`Profile Settings`}
      </ButtonBase>
      <ButtonBase onClick={onLogout} sx={collapsedItem}>
        {t`Logout`}
      </ButtonBase>
    </Box>
  );
}
