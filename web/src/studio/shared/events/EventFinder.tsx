import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Icon } from '../../../ui/Icon';

/** Milliseconds without a key after which what was typed is looked for. */
const typingPause = 250;

function countText(found: number, hasMore: boolean): string {
  if (found === 0) return t`No event is called that.`;
  return hasMore
    ? plural(found, { one: 'The newest event', other: 'The newest # events' })
    : plural(found, { one: '# event', other: '# events' });
}

/** Finds events by a part of their name. */
export function EventFinder({
  onFind,
  found,
  hasMore,
}: {
  onFind: (name: string) => void;
  /** How many are shown; unknown while they are looked for. */
  found: number | undefined;
  /** Whether there are others. */
  hasMore: boolean;
}) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onFind(text.trim()), typingPause);
    return () => clearTimeout(timer);
  }, [text, onFind]);
  return (
    <Box
      role="search"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}
    >
      <OutlinedInput
        type="search"
        placeholder={t`Find by name`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        inputProps={{ 'aria-label': t`Find events by name`, maxLength: 200 }}
        startAdornment={<Icon name="search" />}
        sx={{ minHeight: 44, width: { xs: '100%', sm: 320 }, pl: 3, '& input': { pl: 2, py: 2 } }}
      />
      <Typography variant="body2" color="textSecondary" role="status">
        {found === undefined ? '' : countText(found, hasMore)}
      </Typography>
    </Box>
  );
}
