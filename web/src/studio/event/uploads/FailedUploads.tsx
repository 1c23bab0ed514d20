import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';

import { focusAfterRemoval, removalRegion, removesEntry } from '../../../ui/focusAfterRemoval';
import { Icon } from '../../../ui/Icon';
import { pathOf } from './folders';
import { isUnfinished, type QueueItem } from './queue';

/** Rows that are rendered; the rest is shown as a number. */
const maxShown = 100;

/**
 * The failed files with their errors, and buttons that retry all of them at once or dismiss what has failed for good: repeating an upload is idempotent.
 * What the connection has failed is tried again without it.
 */
export function FailedUploads({
  items,
  onRetry,
  onDismiss,
}: {
  items: readonly QueueItem[];
  onRetry: () => void;
  onDismiss: (ids: readonly string[]) => void;
}) {
  const failed = items.filter(({ status }) => status === 'error');
  const ended = failed.filter((item) => !isUnfinished(item)).map(({ id }) => id);
  const more = failed.length - maxShown;
  if (failed.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="failed-title" {...removalRegion}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, p: '18px 20px 14px' }}>
        <Typography variant="h3" component="h2" id="failed-title" sx={{ flex: 1 }}>
          {t`Failed Uploads`}
        </Typography>
        {ended.length > 0 && (
          <Button
            size="small"
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget);
              onDismiss(ended);
            }}
          >
            {t`Dismiss`}
          </Button>
        )}
        <Button
          size="small"
          variant="outlined"
          startIcon={<Icon name="refresh" size={16} />}
          onClick={onRetry}
        >
          {t`Try again`}
        </Button>
      </Box>
      <Box
        component="ul"
        tabIndex={0}
        aria-label={t`Failed Uploads`}
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          maxHeight: 200,
          overflow: 'auto',
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        {failed.slice(0, maxShown).map((item) => (
          <Box
            component="li"
            key={item.id}
            sx={{
              display: 'grid',
              gridTemplateColumns: '20px minmax(0, 1fr) auto',
              gap: 3,
              p: '12px 20px',
              fontSize: 14,
              '& + &': { borderTop: 1, borderColor: 'divider' },
              '& > svg': { color: item.failure === 'connection' ? 'warning.main' : 'error.main', mt: '1px' },
            }}
          >
            <Icon name="alert" />
            <Box sx={{ overflowWrap: 'anywhere' }}>
              {pathOf(item.file)}
              <Box component="small" sx={{ display: 'block', mt: 0.5, fontSize: 13, color: 'error.main' }}>
                {item.error}
              </Box>
              {item.failure === 'connection' && (
                <Box
                  component="small"
                  sx={{ display: 'block', mt: 0.5, fontSize: 13, color: 'text.secondary' }}
                >
                  {t`It is tried again by itself.`}
                </Box>
              )}
            </Box>
            {!isUnfinished(item) && (
              <IconButton
                {...removesEntry}
                aria-label={t`Dismiss ${{ name: item.filename }}`}
                onClick={({ currentTarget }) => {
                  focusAfterRemoval(currentTarget);
                  onDismiss([item.id]);
                }}
                sx={{ alignSelf: 'start', my: '-8px', mr: '-12px', color: 'text.disabled' }}
              >
                <Icon name="close" size={16} />
              </IconButton>
            )}
          </Box>
        ))}
        {more > 0 && (
          <Box component="li" sx={{ p: '12px 20px', fontSize: 14, borderTop: 1, borderColor: 'divider' }}>
            {plural(more, { one: 'and # more', other: 'and # more' })}
          </Box>
        )}
      </Box>
    </Card>
  );
}
