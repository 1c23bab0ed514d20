import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { removalRegion } from '../../../ui/focusAfterRemoval';
import { Icon } from '../../../ui/Icon';

import { parallelUploads, type Queue, type QueueItem } from './queue';
import { QueueRow, rowHeight } from './QueueRow';
import { visibleItems } from './queueStats';

const collapsedCount = 7;
const listHeight = 8 * rowHeight;

function VirtualizedRows({ rows, onRemove }: { rows: QueueItem[]; onRemove: (id: string) => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    getScrollElement: () => scroller.current,
    overscan: 4,
  });
  return (
    <Box
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={t`All photos of this batch`}
      sx={{ maxHeight: listHeight, overflow: 'auto' }}
    >
      <Box
        component="ul"
        sx={{ position: 'relative', m: 0, p: 0, listStyle: 'none', height: list.getTotalSize() }}
      >
        {list.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <Box
                component="li"
                key={key}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                sx={{ position: 'absolute', inset: '0 0 auto 0' }}
                style={{ transform: `translateY(${start}px)` }}
              >
                <QueueRow item={row} onRemove={() => onRemove(row.id)} />
              </Box>
            )
          );
        })}
      </Box>
    </Box>
  );
}

/** The files of the batch: running first, then waiting, then done; collapsed after seven. */
export function BatchList({
  queue,
  onRemove,
  onPause,
  onResume,
}: {
  queue: Queue;
  onRemove: (id: string) => void;
  onPause: () => void;
  onResume: () => void;
}) {
  const [open, setOpen] = useState(false);
  const rows = visibleItems(queue);
  if (rows.length === 0) return null;
  const count = rows.length;
  const atATime = queue.mode === 'single' ? 1 : parallelUploads;
  const stopped = queue.paused || queue.overCredit;
  const unfinished = rows.some(({ status }) => status !== 'success');
  return (
    <Card component="section" aria-labelledby="batch-title" {...removalRegion}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2.5, p: { xs: '16px', sm: '18px 24px 14px' } }}>
        <Typography variant="h3" component="h2" id="batch-title" sx={{ flex: 1 }}>
          {t`In this batch`}
        </Typography>
        {unfinished && (
          <Button
            size="small"
            startIcon={<Icon name={stopped ? 'play' : 'pause'} size={16} />}
            onClick={stopped ? onResume : onPause}
          >
            {stopped ? t`Resume` : t`Pause`}
          </Button>
        )}
        <Chip label={plural(atATime, { one: '# at a time', other: '# at a time' })} />
      </Box>
      {open ? (
        <VirtualizedRows rows={rows} onRemove={onRemove} />
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.slice(0, collapsedCount).map((row) => (
            <li key={row.id}>
              <QueueRow item={row} onRemove={() => onRemove(row.id)} />
            </li>
          ))}
        </Box>
      )}
      {count > collapsedCount && (
        <Box sx={{ borderTop: 1, borderColor: 'divider', p: '8px 12px' }}>
          <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t`Show fewer` : plural(count, { one: 'Show all #', other: 'Show all #' })}
          </Button>
        </Box>
      )}
    </Card>
  );
}
