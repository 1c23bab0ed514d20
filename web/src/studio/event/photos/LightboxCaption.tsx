import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { formatCount } from '../../../platform/formats';
import { room } from '../../../ui/theme/tokens';

const notMeText = (count: number) =>
  plural(count, {
    one: '# guest said they are not in this photo',
    other: '# guests said they are not in this photo',
  });

/** The name of the photo and its place among the others, at the top left of the lightbox. */
export function LightboxCaption({
  name,
  position,
  total,
  notMeReports,
  comment = null,
  faces,
  children,
}: {
  name: string;
  position: number;
  total: number;
  /** How many guests said that the photo is not of them. */
  notMeReports: number;
  /** What a client says of it, where their selection is shown. */
  comment?: string | null | undefined;
  /** What is said of the faces found; empty while they are not shown. */
  faces: string;
  children?: ReactNode;
}) {
  return (
    <Box
      sx={{
        position: 'absolute',
        // Below the buttons of the toolbar on a phone, beside them where there is room.
        top: { xs: 44, sm: 0 },
        left: 0,
        maxWidth: { xs: '100%', sm: 'calc(100% - 350px)' },
        p: '12px 16px',
        isolation: 'isolate',
        // Of a bright photo nothing could be read but for this, which fades out below the words.
        '&::before': {
          content: '""',
          position: 'absolute',
          zIndex: -1,
          top: { xs: -8, sm: 0 },
          left: 0,
          width: { xs: '100vw', sm: 'calc(100% + 96px)' },
          height: { xs: 88, sm: 96 },
          background: 'linear-gradient(transparent, rgb(0 0 0 / .66) 14%, rgb(0 0 0 / .62) 60%, transparent)',
          // The buttons beside it are not under the shade.
          maskImage: { sm: 'linear-gradient(to right, #000 55%, transparent)' },
        },
        fontSize: 14,
        lineHeight: 1.35,
        color: room.text,
        textShadow: '0 1px 3px rgb(0 0 0 / .7)',
        pointerEvents: 'none',
      }}
    >
      <Box sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {name}
      </Box>
      <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {t`${{ position: formatCount(position) }} of ${{ total: formatCount(total) }}`}
      </Box>
      {comment !== null && <Box sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{comment}</Box>}
      {notMeReports > 0 && <Box>{notMeText(notMeReports)}</Box>}
      <Box role="status">{faces}</Box>
      {children}
    </Box>
  );
}
