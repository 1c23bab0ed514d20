import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';
import type { Album } from '../../shared/api/types';
import { Icon } from '../../shared/components/Icon';
import { type Filter, inNoAlbum, type Sort, type StatusFilter } from './filters';
import type { Uploader } from './useUploaders';

const statuses = (): { value: StatusFilter; label: string }[] => [
  { value: 'all', label: t`All` },
  { value: 'ready', label: t`Searchable` },
  { value: 'processing', label: t`Finding faces` },
  { value: 'failed', label: t`Failed` },
  { value: 'withoutFaces', label: t`No faces` },
];

const sorts = (): { value: Sort; label: string }[] => [
  { value: 'uploaded', label: t`Newest uploads first` },
  { value: 'captured', label: t`By time taken` },
  { value: 'name', label: t`By file name` },
];

/** Filters the grid by file name and status, and sorts it. `children` are controls of the same row. */
export function GalleryFilters({
  filter,
  albums,
  uploaders,
  onChange,
  children,
}: {
  filter: Filter;
  albums: readonly Album[];
  uploaders: readonly Uploader[];
  onChange: (filter: Filter) => void;
  children?: ReactNode;
}) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, mb: 5 }}>
      <OutlinedInput
        type="search"
        placeholder={t`Find by file name`}
        value={filter.name}
        onChange={(event) => onChange({ ...filter, name: event.target.value })}
        inputProps={{ 'aria-label': t`Find by file name` }}
        startAdornment={<Icon name="search" />}
        sx={{ minHeight: 44, width: { xs: '100%', sm: 280 }, pl: 3, '& input': { pl: 2, py: 2 } }}
      />
      <ToggleButtonGroup
        exclusive
        aria-label={t`State`}
        value={filter.status}
        onChange={(_, status: StatusFilter | null) => onChange({ ...filter, status: status ?? 'all' })}
        // On a phone in two lines: what is scrolled out of sight would not be looked for.
        sx={{ flexWrap: { xs: 'wrap', sm: 'nowrap' }, overflowX: 'auto', maxWidth: '100%' }}
      >
        {statuses().map(({ value, label }) => (
          <ToggleButton key={value} value={value} sx={{ whiteSpace: 'nowrap' }}>
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <NativeSelect
        value={filter.sort}
        onChange={({ target }) => onChange({ ...filter, sort: target.value as Sort })}
        input={<OutlinedInput />}
        inputProps={{ 'aria-label': t`Sort by` }}
        // On a phone it leaves the buttons beside it their places.
        sx={{ minHeight: 44, flex: { xs: '1 1 120px', sm: 'none' }, minWidth: 0 }}
      >
        {sorts().map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
      {albums.length > 0 && (
        <NativeSelect
          value={filter.album}
          onChange={({ target }) => onChange({ ...filter, album: target.value })}
          input={<OutlinedInput />}
          inputProps={{ 'aria-label': t`Album` }}
          sx={{ minHeight: 44, maxWidth: '100%' }}
        >
          <option value="">{t`All albums`}</option>
          {albums.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={inNoAlbum}>{t`In no album`}</option>
        </NativeSelect>
      )}
      {uploaders.length > 0 && (
        <NativeSelect
          value={filter.uploader}
          onChange={({ target }) => onChange({ ...filter, uploader: target.value })}
          input={<OutlinedInput />}
          inputProps={{ 'aria-label': t`Uploaded by` }}
          sx={{ minHeight: 44, maxWidth: '100%', flex: { xs: '1 1 120px', sm: 'none' }, minWidth: 0 }}
        >
          <option value="">{t`Uploaded by everybody`}</option>
          {uploaders.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
      {children}
    </Box>
  );
}
