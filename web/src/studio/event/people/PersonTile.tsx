import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Link } from 'react-router';
import type { Person } from '../../../platform/api/types';
import { Icon } from '../../../ui/Icon';
import { FacePicture } from './FacePicture';

export const photosText = (count: number) => plural(count, { one: '# photo', other: '# photos' });

/** Three of them stand beside each other on the narrowest phone. */
export const tilePadding = { xs: 1, sm: 2 } as const;

const tile = {
  display: 'grid',
  justifyItems: 'center',
  gap: 2,
  width: '100%',
  p: tilePadding,
  borderRadius: '16px',
  color: 'text.primary',
  textDecoration: 'none',
} as const;

function Face({ person, selected }: { person: Person; selected: boolean }) {
  return (
    <>
      <Box
        component="span"
        sx={(theme) => ({
          position: 'relative',
          display: 'grid',
          borderRadius: '50%',
          ...(selected && {
            boxShadow: `0 0 0 3px ${theme.vars.palette.background.default}, 0 0 0 6px ${theme.vars.palette.primary.main}`,
          }),
        })}
      >
        <FacePicture url={person.picture_url} size={92} />
        {selected && (
          <Box
            component="span"
            sx={(theme) => ({
              position: 'absolute',
              right: -2,
              bottom: -2,
              display: 'grid',
              placeItems: 'center',
              width: 28,
              height: 28,
              borderRadius: '50%',
              color: theme.vars.palette.primary.contrastText,
              backgroundColor: theme.vars.palette.primary.main,
            })}
          >
            <Icon name="check" size={18} />
          </Box>
        )}
      </Box>
      <Box component="span" sx={{ fontSize: 14, fontVariantNumeric: 'tabular-nums' }}>
        {photosText(person.photos)}
      </Box>
    </>
  );
}

/** A person of the list: a link to their photos, or a check box while people are selected. */
export function PersonTile({
  person,
  place,
  address,
  selecting,
  selected,
  onToggle,
}: {
  person: Person;
  /** In the list, from 1 on: nobody has a name. */
  place: number;
  address: string;
  selecting: boolean;
  selected: boolean;
  onToggle: () => void;
}) {
  const count = photosText(person.photos);
  const face = <Face person={person} selected={selected} />;
  return selecting ? (
    <ButtonBase
      role="checkbox"
      aria-checked={selected}
      aria-label={t`Select person ${place}, ${count}`}
      onClick={onToggle}
      sx={tile}
    >
      {face}
    </ButtonBase>
  ) : (
    <Box
      component={Link}
      to={address}
      aria-label={t`Person ${place}, ${count}`}
      sx={[tile, (theme) => ({ '&:hover': { backgroundColor: theme.vars.palette.hover } })]}
    >
      {face}
    </Box>
  );
}
