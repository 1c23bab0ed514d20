import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import { type ReactNode, useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Album } from '../../../platform/api/types';
import { Icon } from '../../../ui/Icon';
import { visuallyHiddenStyle } from '../../../ui/visuallyHiddenStyle';
import { formatCount } from '../../../platform/formats';
import { filterIn, inNoAlbum, leavesOut } from './filters';

const sx = (theme: Theme) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 1.5,
  minHeight: 40,
  px: 3.5,
  flex: 'none',
  borderRadius: '999px',
  border: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  fontSize: 14,
  fontWeight: 500,
  lineHeight: 1.2,
  whiteSpace: 'nowrap',
  textDecoration: 'none',
  cursor: 'pointer',
  '&:hover': { backgroundColor: theme.vars.palette.hover },
  '&:has(input:checked), &[aria-current]': {
    fontWeight: 600,
    borderColor: theme.vars.palette.ink.main,
    color: theme.vars.palette.ink.contrastText,
    backgroundColor: theme.vars.palette.ink.main,
  },
  '&:has(:focus-visible)': {
    outlineStyle: 'solid',
    outlineWidth: 3,
    outlineColor: theme.vars.palette.primary.main,
    outlineOffset: 2,
  },
});

const row = {
  // Or the radio buttons, which are hidden but there, would widen the page by what is out of sight.
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  flexGrow: 1,
  minWidth: 0,
  // The rings of what has the focus are not cut off.
  p: '5px',
  m: '-5px',
  overflowX: 'auto',
  scrollbarWidth: 'none',
} as const;

function Choice({
  group,
  value,
  checked,
  onChoose,
  children,
}: {
  group: string;
  value: string;
  checked: boolean;
  onChoose: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <Box component="label" sx={sx}>
      <Box
        component="input"
        type="radio"
        name={group}
        checked={checked}
        onChange={() => onChoose(value)}
        sx={visuallyHiddenStyle}
      />
      {children}
    </Box>
  );
}

/** Leads to the trash, whose address keeps which photos were shown, for the way back. */
function TrashLink({ current }: { current: boolean }) {
  const [address] = useSearchParams();
  return (
    <Box
      component={Link}
      to={{ pathname: '/admin/trash', search: address.toString() }}
      aria-current={current ? 'page' : undefined}
      sx={sx}
    >
      <Icon name="trash" size={16} />
      {t`Trash`}
    </Box>
  );
}

/** Which photos are shown: all, those of an album, or the deleted ones. `total` is how many there are. */
export function AlbumChips({
  albums,
  chosen,
  total,
  onChoose,
  onEdit,
}: {
  albums: readonly Album[];
  chosen: string;
  total: number;
  onChoose: (album: string) => void;
  /** Null for whoever has no albums. */
  onEdit: (() => void) | null;
}) {
  const group = useId();
  const count = formatCount(total);
  return (
    <Box sx={row}>
      <Box
        component="fieldset"
        aria-label={t`Album`}
        sx={{ display: 'flex', flex: 'none', gap: 1.5, m: 0, p: 0, border: 0 }}
      >
        <Choice group={group} value="" checked={chosen === ''} onChoose={onChoose}>
          {onEdit === null
            ? plural(total, { one: `${total} photos`, other: `${total} photos` })
            : t`All ${count}`}
        </Choice>
        {albums.map(({ id, name }) => (
          <Choice key={id} group={group} value={id} checked={chosen === id} onChoose={onChoose}>
            {name}
          </Choice>
        ))}
        {albums.length > 0 && (
          <Choice group={group} value={inNoAlbum} checked={chosen === inNoAlbum} onChoose={onChoose}>
            {t`In no album`}
          </Choice>
        )}
      </Box>
      {onEdit !== null && (
        <Box
          component="button"
          type="button"
          aria-label={t`Albums`}
          onClick={onEdit}
          sx={(theme) => ({ ...sx(theme), px: 2.5 })}
        >
          <Icon name="plus" size={16} />
        </Box>
      )}
      <TrashLink current={false} />
    </Box>
  );
}

/** The same row over the deleted photos, which leads back to the others. */
export function TrashChips() {
  const [address] = useSearchParams();
  return (
    <Box component="nav" aria-label={t`Album`} sx={row}>
      <Box component={Link} to={{ pathname: '/admin/gallery', search: address.toString() }} sx={sx}>
        {leavesOut(filterIn(address)) ? t`Photos` : t`All photos`}
      </Box>
      <TrashLink current />
    </Box>
  );
}
