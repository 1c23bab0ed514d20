import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ProgressBar } from '../../../ui/ProgressBar';
import { focusAfterRemoval, removesEntry } from '../../../ui/focusAfterRemoval';
import { Icon } from '../../../ui/Icon';
import { formatPercent } from '../../../platform/amounts';
import { formatBytes } from '../../../platform/bytes';
import { FileThumbnail } from './FileThumbnail';
import type { QueueItem } from './queue';

export const rowHeight = 67;

function doneText({ duplicate, replaces }: QueueItem): string {
  if (duplicate) return t`Already there`;
  return replaces === true ? t`Replaced` : t`Uploaded`;
}

/** The label and colour of an item's status. */
function stateOf(item: QueueItem): { text: ReactNode; tone: string } {
  switch (item.status) {
    case 'uploading':
      return { text: formatPercent(item.progress), tone: 'accentText' };
    case 'verifying':
      return { text: t`Verifying`, tone: 'warning.main' };
    case 'success':
      return {
        text: (
          <>
            <Icon name="check" size={16} />
            {doneText(item)}
          </>
        ),
        tone: 'success.main',
      };
    case 'pending':
      return { text: t`Waiting`, tone: 'text.secondary' };
    case 'error':
      return { text: t`Failed`, tone: 'error.main' };
  }
}

export function QueueRow({ item, onRemove }: { item: QueueItem; onRemove: () => void }) {
  const { text, tone } = stateOf(item);
  const inProgress = item.status === 'uploading' || item.status === 'verifying';
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '48px minmax(0, 1fr) auto 44px', sm: '48px minmax(0, 1fr) 130px 44px' },
        gap: { xs: 2.5, sm: 3.5 },
        alignItems: 'center',
        height: rowHeight,
        pl: { xs: 4, sm: 6 },
        pr: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <FileThumbnail file={item.file} dimmed={item.status === 'pending'} />
      <Box sx={{ minWidth: 0 }}>
        <Typography noWrap title={item.filename} sx={{ fontSize: 14, fontWeight: 500 }}>
          {item.filename}
        </Typography>
        {inProgress ? (
          <Box sx={{ mt: 2 }}>
            <ProgressBar
              label={item.filename}
              value={item.progress}
              tone={item.status === 'verifying' ? 'idle' : 'accent'}
            />
          </Box>
        ) : (
          <Typography variant="caption" color="textDisabled" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {formatBytes(item.size)}
          </Typography>
        )}
      </Box>
      <Box
        component="span"
        sx={{
          display: 'flex',
          gap: 1.5,
          alignItems: 'center',
          justifyContent: 'flex-end',
          fontSize: 13,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          color: tone,
        }}
      >
        {text}
      </Box>
      {item.status === 'success' ? (
        <span />
      ) : (
        <IconButton
          {...removesEntry}
          aria-label={t`Remove ${{ name: item.filename }}`}
          onClick={({ currentTarget }) => {
            focusAfterRemoval(currentTarget);
            onRemove();
          }}
          sx={{ color: 'text.disabled' }}
        >
          <Icon name="close" size={16} />
        </IconButton>
      )}
    </Box>
  );
}
