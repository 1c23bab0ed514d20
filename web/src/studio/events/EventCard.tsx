import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Event } from '../../platform/api/types';
import { ProgressBar } from '../../ui/ProgressBar';
import { Icon, type IconName } from '../../ui/Icon';
import { useCopyToClipboard } from '../../ui/useCopyToClipboard';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { eventScreenAddress } from '../shared/events/eventScreens';
import { useEventUrl } from '../shared/events/eventUrls';
import { manages } from '../shared/events/sharing/roles';
import { formatCount, formatLongDate } from '../../platform/formats';
import { formatDayOf } from '../../platform/shortDates';
import { EventCover } from './EventCover';
import { SharedBy } from './SharedBy';

function UrlRow({ event }: { event: Event }) {
  const { url } = useEventUrl(event);
  const { copy, copied, failed } = useCopyToClipboard(url);
  return (
    <Box
      sx={(theme) => ({
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        mt: 'auto',
        pl: 3,
        borderRadius: '10px',
        fontSize: 13,
        color: event.deleting ? 'text.disabled' : 'text.secondary',
        backgroundColor: event.deleting ? 'transparent' : theme.vars.palette.sunken,
        boxShadow: event.deleting ? `inset 0 0 0 1px ${theme.vars.palette.divider}` : 'none',
      })}
    >
      <Box
        component="input"
        readOnly
        // The button beside it copies it.
        tabIndex={-1}
        aria-label={t`Event URL of ${{ name: event.name }}`}
        value={url}
        onFocus={(focus) => focus.currentTarget.select()}
        sx={{
          flex: 1,
          minWidth: 0,
          p: 0,
          border: 0,
          font: 'inherit',
          color: 'inherit',
          background: 'none',
          textOverflow: 'ellipsis',
        }}
      />
      <IconButton
        aria-label={t`Copy event URL`}
        disabled={event.deleting}
        onClick={copy}
        sx={(theme) => ({ color: copied ? theme.vars.palette.success.main : undefined })}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </IconButton>
      <VisuallyHidden role="status">
        {copied ? t`URL copied to clipboard!` : failed ? t`The URL could not be copied.` : ''}
      </VisuallyHidden>
    </Box>
  );
}

function Action({
  icon,
  children,
  danger = false,
  disabled,
  onClick,
}: {
  icon: IconName;
  children: ReactNode;
  danger?: boolean;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      color={danger ? 'error' : 'ink'}
      disabled={disabled}
      onClick={onClick}
      sx={{
        flexDirection: 'column',
        gap: 1.25,
        px: 0,
        py: 2,
        minWidth: 0,
        minHeight: 60,
        fontSize: 13,
        fontWeight: 500,
      }}
    >
      <Icon name={icon} />
      {children}
    </Button>
  );
}

const expiryWarningPeriod = 7 * 86_400_000;

/** The date until which the photos are kept, highlighted in the last week. */
function Expiry({ at, zone }: { at: string; zone: string }) {
  const [openedAt] = useState(() => Date.now());
  const near = Date.parse(at) - openedAt < expiryWarningPeriod;
  return (
    <Typography
      variant="caption"
      component="p"
      sx={{ mt: 0.5, color: near ? 'warning.main' : 'text.disabled' }}
    >
      {t`Photos kept until ${{ date: formatDayOf(at, zone) }}`}
    </Typography>
  );
}

/** How far an event is that has photos which wait or failed. */
function indexingText({ indexing }: Event): string {
  const indexed = formatCount(indexing.indexed);
  const total = formatCount(indexing.total);
  const waiting = formatCount(indexing.waiting);
  const failed = formatCount(indexing.failed);
  if (indexing.failed === 0) return t`${indexed} of ${total} photos searchable, ${waiting} waiting`;
  return indexing.waiting === 0
    ? t`${indexed} of ${total} photos searchable, ${failed} cannot be searched`
    : t`${indexed} of ${total} photos searchable, ${waiting} waiting, ${failed} cannot be searched`;
}

export interface EventCardActions {
  onUpload: () => void;
  onGallery: () => void;
  onQrCode: () => void;
  onDelete: () => void;
  /** Of an event that is shared with the photographer. */
  onLeave: () => void;
}

export function EventCard({
  event,
  atOnce = false,
  onUpload,
  onGallery,
  onQrCode,
  onDelete,
  onLeave,
}: {
  event: Event;
  /** Whether its pictures are among the first that are seen. */
  atOnce?: boolean;
} & EventCardActions) {
  const { deleting, role } = event;
  const managed = manages(role);
  const actions = managed ? 4 : 3;
  const description = event.description ?? '';
  return (
    <Card
      component="article"
      aria-label={event.name}
      aria-busy={deleting}
      // The first of the cards that were loaded last takes the focus.
      tabIndex={-1}
      sx={{ display: 'flex', flexDirection: 'column', position: 'relative' }}
    >
      <EventCover event={event} atOnce={atOnce} />
      {deleting && (
        <Box
          role="status"
          sx={{
            position: 'absolute',
            inset: '0 0 auto 0',
            height: 188,
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'flex-end',
            gap: 2.5,
            p: '16px 20px',
            fontSize: 15,
            fontWeight: 600,
            color: '#FFFFFF',
            background: 'linear-gradient(transparent 30%, rgb(14 14 14 / .78))',
          }}
        >
          {t`Deleting...`}
          <ProgressBar label={t`Deleting ${{ name: event.name }}`} tone="lit" />
        </Box>
      )}
      <Box
        sx={{
          display: 'flex',
          flexDirection: 'column',
          flex: 1,
          p: '18px 20px 6px',
          color: deleting ? 'text.disabled' : 'text.primary',
        }}
      >
        <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {deleting ? (
            event.name
          ) : (
            <Box
              component={Link}
              to={eventScreenAddress('/admin/gallery', event.id)}
              sx={{
                color: 'inherit',
                textDecoration: 'none',
                // The whole card leads there, but for what lies above.
                '&::after': { content: '""', position: 'absolute', inset: 0 },
                '&:hover': { textDecoration: 'underline' },
              }}
            >
              {event.name}
            </Box>
          )}
        </Typography>
        <Typography variant="body2" color="textDisabled" sx={{ mt: 1 }}>
          {formatLongDate(event.date)}
        </Typography>
        <SharedBy event={event} />
        {!deleting && event.indexing.total > 0 && typeof event.expires_at === 'string' && (
          <Expiry at={event.expires_at} zone={event.time_zone} />
        )}
        {description !== '' && (
          <Typography
            variant="body2"
            sx={{
              mt: 1,
              color: deleting ? 'inherit' : 'text.secondary',
              display: '-webkit-box',
              WebkitLineClamp: 2,
              WebkitBoxOrient: 'vertical',
              overflow: 'hidden',
            }}
          >
            {description}
          </Typography>
        )}
        {!deleting && event.indexing.waiting + event.indexing.failed > 0 && (
          <Box sx={{ mt: 3 }}>
            <Typography variant="caption" component="p" color="textDisabled" sx={{ mb: 1.5 }}>
              {indexingText(event)}
            </Typography>
            <ProgressBar
              label={t`Photos of ${{ name: event.name }} that are searchable`}
              value={(100 * event.indexing.indexed) / event.indexing.total}
            />
          </Box>
        )}
        <Box sx={{ flex: 1, minHeight: 14 }} />
        {managed && <UrlRow event={event} />}
      </Box>
      <Box
        sx={{
          position: 'relative',
          display: 'grid',
          gridTemplateColumns: `repeat(${actions}, minmax(0, 1fr))`,
          gap: '2px',
          p: '6px 12px 10px',
        }}
      >
        <Action icon="upload" disabled={deleting} onClick={onUpload}>
          {t`Upload`}
        </Action>
        <Action icon="grid" disabled={deleting} onClick={onGallery}>
          {t`Gallery`}
        </Action>
        {managed && (
          <Action icon="qr" disabled={deleting} onClick={onQrCode}>
            {t`QR Code`}
          </Action>
        )}
        {role === 'owner' ? (
          <Action icon="trash" danger disabled={deleting} onClick={onDelete}>
            {t`Delete`}
          </Action>
        ) : (
          <Action icon="close" danger disabled={deleting} onClick={onLeave}>
            {t`Leave`}
          </Action>
        )}
      </Box>
    </Card>
  );
}
