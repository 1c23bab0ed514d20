import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../../../ui/useObjectUrl';
import { type TrashedPhoto, trashThumbnailQuery } from './trash';

const day = 86_400_000;

const leftText = (days: number) =>
  days === 0 ? t`Removed today` : plural(days, { one: 'Removed in # day', other: 'Removed in # days' });

/** A deleted photo, which can be selected. */
export function TrashTile({
  photo,
  now,
  selected,
  onSelect,
}: {
  photo: TrashedPhoto;
  /** Milliseconds. */
  now: number;
  selected: boolean;
  onSelect: () => void;
}) {
  const thumbnail = useQuery({ ...trashThumbnailQuery(photo.id), enabled: photo.status === 'ready' });
  const url = useObjectUrl(thumbnail.data);
  const name = photo.original_filename;
  const removed = Date.parse(photo.removed_at);
  // The clock of this device may be behind the server's.
  const left = Math.min(removed - now, removed - Date.parse(photo.deleted_at));
  const days = Math.max(0, Math.ceil(left / day));
  return (
    <Box component="li" sx={{ minWidth: 0 }}>
      <Box
        component="label"
        sx={(theme) => ({
          display: 'block',
          position: 'relative',
          borderRadius: '4px',
          overflow: 'hidden',
          // With room for upright photos as for wide ones: none is cropped.
          aspectRatio: '1',
          cursor: 'pointer',
          backgroundColor: theme.vars.palette.sunken,
          ...(selected && { boxShadow: `0 0 0 3px ${theme.vars.palette.primary.main}` }),
          '&:focus-within': { outline: `3px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        })}
        style={{ backgroundColor: photo.average_color ?? undefined }}
      >
        {url !== undefined && (
          <Box
            component="img"
            src={url}
            alt=""
            sx={{ display: 'block', width: '100%', height: '100%', objectFit: 'contain' }}
          />
        )}
        <Checkbox
          checked={selected}
          onChange={onSelect}
          slotProps={{ input: { 'aria-label': t`Select ${name}` } }}
          sx={{
            position: 'absolute',
            top: 6,
            left: 6,
            color: '#FFFFFF',
            backgroundColor: 'rgb(14 14 14 / .62)',
            '&:hover': { backgroundColor: 'rgb(14 14 14 / .8)' },
          }}
        />
      </Box>
      <Box
        sx={{ mt: 1, fontSize: 13, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        title={name}
      >
        {name}
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{leftText(days)}</Box>
    </Box>
  );
}
