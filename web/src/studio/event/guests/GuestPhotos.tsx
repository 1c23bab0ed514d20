import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import { formatDayOf } from '../../../platform/shortDates';
import { ActionDialog } from '../../../ui/ActionDialog';
import { useSnackbar } from '../../../ui/useSnackbar';
import { byGuest, guestPhotosQuery, type SentTogether } from '../../shared/notifications/guestPhotos';
import { LoadError } from '../photos/LoadError';
import { decidedMessage, priceText, useDecision } from './guestPhotoDecisions';
import { GuestPhotosDialog } from './GuestPhotosDialog';
import { WaitingPicture } from './WaitingPicture';

/** The id of the heading, to which a mail leads. */
const headingId = 'guest-photos';

/** What one guest has sent. */
function Sent({ eventId, sent, price }: { eventId: string; sent: SentTogether; price: number }) {
  const show = useSnackbar();
  const decision = useDecision(eventId);
  const [open, setOpen] = useState<'look' | 'decline' | null>(null);
  const { name, photos } = sent;
  const [first] = photos;
  const count = photos.length;
  const title = plural(count, { one: '# photo from a guest', other: '# photos from a guest' });
  const decline = () =>
    // They are gone from the list then: what was done is said all the same.
    void decision.mutateAsync({ decision: 'decline', ids: photos.map(({ id }) => id) }).then(
      (decided) => show(decidedMessage('decline', decided, count)),
      () => undefined,
    );
  if (first === undefined) return null;
  const last = formatDayOf(first.goes_at);
  return (
    <Box
      component="article"
      aria-label={name === null ? title : `${title}, ${name}`}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}
    >
      <WaitingPicture
        eventId={eventId}
        photo={first}
        size="thumbnail"
        alt=""
        sx={{ width: 64, height: 64, flex: 'none', borderRadius: '10px' }}
      />
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="subtitle1" component="h3">
          {title}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t`Not seen by anybody yet.`} {priceText(count, price)}
        </Typography>
        <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {[name, t`waits until ${{ date: last }}`].filter((part) => part !== null).join(' · ')}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button
          variant="outlined"
          onClick={() => {
            decision.reset();
            setOpen('decline');
          }}
        >
          {t`Decline`}
        </Button>
        <Button variant="contained" onClick={() => setOpen('look')}>
          {count === 1 ? t`Look at it` : t`Look at them`}
        </Button>
      </Box>
      {open === 'look' && (
        <GuestPhotosDialog eventId={eventId} sent={sent} price={price} onClose={() => setOpen(null)} />
      )}
      {open === 'decline' && (
        <ActionDialog
          danger
          title={plural(count, { one: 'Decline # photo?', other: 'Decline # photos?' })}
          text={t`They go for good. The guest is not told, and does not see them in the list any more.`}
          action={t`Decline`}
          busy={decision.isPending}
          failure={
            decision.isError
              ? errorMessage(decision.error, t`The decision could not be saved. Please try again.`)
              : null
          }
          onClose={() => setOpen(null)}
          onSubmit={decline}
        />
      )}
    </Box>
  );
}

/** The photos that guests have added and that wait for the photographer; nothing while there are none. */
export function GuestPhotos({ eventId }: { eventId: string }) {
  const { data, isLoadingError, error, isFetching, refetch } = useQuery(guestPhotosQuery(eventId));
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useLocation().hash === `#${headingId}`;
  const sent = byGuest(data?.photos ?? []);
  const some = sent.length > 0;
  // Whoever is led here is led to them.
  useEffect(() => {
    if (wanted && some) heading.current?.focus();
  }, [wanted, some]);
  if (isLoadingError)
    return (
      <LoadError
        text={errorMessage(error, t`The photos from guests could not be loaded.`)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined || !some) return null;
  return (
    <Card component="section" aria-labelledby={headingId} sx={{ display: 'grid', gap: 4, p: 4 }}>
      <Typography
        ref={heading}
        variant="h3"
        component="h2"
        id={headingId}
        tabIndex={-1}
        sx={{ outline: 'none' }}
      >
        {t`Photos from guests`}
      </Typography>
      {sent.map((each) => (
        <Sent key={each.guest} eventId={eventId} sent={each} price={data.price} />
      ))}
    </Card>
  );
}
