import { plural, t } from '@lingui/core/macro';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../../ui/Icon';
import { OutlineIcon } from '../../../ui/OutlineIcon';
import { type Filter, noFilter } from './filters';

/** How many of the settings of the sheet are not as they were. */
const inUse = (filter: Filter): number =>
  (['status', 'sort', 'uploader'] as const).filter((key) => filter[key] !== noFilter[key]).length;

/** The tools over the grid: `children` choose the album; a name is looked for, the sheet opened, and a selection begun. */
export function PhotoTools({
  filter,
  onChange,
  onFilter,
  onSelect,
  children,
}: {
  filter: Filter;
  onChange: (filter: Filter) => void;
  onFilter: () => void;
  onSelect: () => void;
  children: ReactNode;
}) {
  const [searching, setSearching] = useState(filter.name !== '');
  const button = useRef<HTMLButtonElement>(null);
  const used = inUse(filter);
  const close = () => {
    onChange({ ...filter, name: '' });
    setSearching(false);
    button.current?.focus();
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 2, mb: 3.5 }}>
      <Box sx={{ display: 'flex', flex: '1 1 0', minWidth: 0 }}>{children}</Box>
      <IconButton
        ref={button}
        aria-label={t`Find by file name`}
        aria-expanded={searching}
        onClick={() => (searching ? close() : setSearching(true))}
      >
        <Icon name="search" />
      </IconButton>
      <IconButton
        aria-label={
          used === 0
            ? t`Sort and filter`
            : plural(used, { one: 'Sort and filter, # in use', other: 'Sort and filter, # in use' })
        }
        aria-haspopup="dialog"
        onClick={onFilter}
      >
        <Badge badgeContent={used === 0 ? null : used} color="primary">
          <OutlineIcon outline="M4 6h16M7 12h10M10 18h4" />
        </Badge>
      </IconButton>
      <Button onClick={onSelect} sx={{ px: 3, minWidth: 0 }}>{t`Select`}</Button>
      {searching && (
        <OutlinedInput
          type="search"
          autoFocus
          fullWidth
          placeholder={t`Find by file name`}
          value={filter.name}
          onChange={(event) => onChange({ ...filter, name: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close();
          }}
          inputProps={{ 'aria-label': t`Find by file name` }}
          startAdornment={<Icon name="search" />}
          sx={{ minHeight: 44, pl: 3, '& input': { pl: 2, py: 2 } }}
        />
      )}
    </Box>
  );
}
