import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import { sameOrigin } from '../../../platform/api/links';
import { EmptyState } from '../../../ui/EmptyState';
import { useSnackbar } from '../../../ui/useSnackbar';
import { requestsHeading } from '../../shared/events/eventScreens';
import { formatDayOf } from '../../../platform/shortDates';
import { useSeeRequests } from '../../shared/notifications/guestRequests';
import { LoadError } from '../photos/LoadError';
import { guestRequestsQuery } from '../../shared/notifications/guestRequests';
import { decideGuestRequest, type GuestRequest } from './decisions';

function Photos({
  request,
  busy,
  onShow,
  onDelete,
}: {
  request: GuestRequest;
  busy: boolean;
  onShow: (photoId: string) => void;
  onDelete: (photoId: string) => void;
}) {
  return (
    <Box
      component="ul"
      aria-label={t`Photos of this request`}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(140px, 1fr))',
        gap: 1.5,
        p: 0,
        m: 0,
        listStyle: 'none',
      }}
    >
      {request.photos.map(({ photo_id, filename, thumbnail_url, url, in_force }) => (
        <Box component="li" key={photo_id} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
          <Box
            component="img"
            src={sameOrigin(thumbnail_url ?? url)}
            alt={filename}
            loading="lazy"
            sx={{
              width: '100%',
              aspectRatio: '1',
              objectFit: 'cover',
              // Faces are rather above the middle.
              objectPosition: '50% 25%',
              borderRadius: '10px',
              opacity: in_force ? 0.6 : 1,
            }}
          />
          {request.choice === 'hide' && in_force && (
            <Button
              size="small"
              variant="outlined"
              disabled={busy}
              aria-label={t`Show again: ${filename}`}
              onClick={() => onShow(photo_id)}
            >
              {t`Show again`}
            </Button>
          )}
          <Button
            size="small"
            color="error"
            disabled={busy}
            aria-label={t`Delete ${filename}`}
            onClick={() => onDelete(photo_id)}
          >
            {t`Delete`}
          </Button>
        </Box>
      ))}
    </Box>
  );
}

function Request({
  request,
  timeZone,
  onDelete,
}: {
  request: GuestRequest;
  timeZone: string;
  onDelete: (photoIds: string[]) => void;
}) {
  const client = useQueryClient();
  const show = useSnackbar();
  const decision = useMutation({
    mutationFn: ({ inForce, photos }: { inForce: boolean; photos?: string[] }) =>
      decideGuestRequest(request.id, inForce, photos),
    onSuccess: () => client.invalidateQueries({ queryKey: guestRequestsQuery(request.event_id).queryKey }),
    onError: (error) =>
      show({
        tone: 'error',
        text: errorMessage(error, t`The decision could not be saved. Please try again.`),
      }),
  });
  const count = request.photos.length;
  const hides = request.choice === 'hide';
  const waits = request.waits;
  // Nobody has shown to be the person: so it has no effect at all before the decision.
  const unproven = waits && request.without_capture;
  const title =
    waits && hides
      ? plural(count, {
          one: 'A guest asks to hide a photo they are in',
          other: 'A guest asks to hide # photos they are in',
        })
      : hides
        ? plural(count, {
            one: 'A guest hid a photo they are in',
            other: 'A guest hid # photos they are in',
          })
        : waits
          ? t`A guest asks not to be found any more`
          : t`A guest does not want to be found any more`;
  const state = unproven
    ? t`This waits for your decision: nothing has changed yet.`
    : waits
      ? t`This waits for your decision: no photo is hidden yet. Until then nobody finds this guest by their face.`
      : !request.in_force
        ? t`You have undone this. The same guest cannot ask for it again.`
        : hides
          ? t`No guest finds the hidden photos. You see them as always.`
          : t`The faces of this guest are removed from the search, also in later uploads. The photos stay visible to others.`;
  return (
    <Box component="article" aria-label={title} sx={{ display: 'grid', gap: 1.5 }}>
      <Box>
        <Typography variant="subtitle1" component="h3">
          {title}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {formatDayOf(request.created_at, timeZone)} · {state}
        </Typography>
        {request.without_capture && (
          <Typography variant="body2" color="textSecondary">
            {t`Made with a photo that was not taken with the camera for it: it may be of somebody else than the guest who asks. Do you know them?`}
          </Typography>
        )}
      </Box>
      <Photos
        request={request}
        busy={decision.isPending}
        onShow={(photo) => decision.mutate({ inForce: false, photos: [photo] })}
        onDelete={(photo) => onDelete([photo])}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {request.in_force && (
          <Button
            variant="outlined"
            loading={decision.isPending}
            onClick={() => decision.mutate({ inForce: false })}
          >
            {hides ? t`Show all again` : t`Undo`}
          </Button>
        )}
        {waits && (
          <>
            <Button
              variant="contained"
              loading={decision.isPending}
              onClick={() => decision.mutate({ inForce: true })}
            >
              {hides ? t`Hide these photos` : t`Stop finding this person`}
            </Button>
            <Button
              variant="outlined"
              loading={decision.isPending}
              onClick={() => decision.mutate({ inForce: false })}
            >
              {hides ? t`Keep them visible` : t`Keep finding them`}
            </Button>
          </>
        )}
        {hides && !waits && !request.in_force && (
          <Button
            variant="outlined"
            loading={decision.isPending}
            onClick={() => decision.mutate({ inForce: true })}
          >
            {t`Hide again`}
          </Button>
        )}
      </Box>
    </Box>
  );
}

/** What guests of an event have asked for, and what the photographer decides. */
export function GuestRequests({
  eventId,
  timeZone,
  alone = true,
  onDelete,
}: {
  eventId: string;
  /** Of the event: the days are those at its place. */
  timeZone: string;
  /** Whether nothing else is to be looked at. */
  alone?: boolean;
  onDelete: (photoIds: string[]) => void;
}) {
  const { data, isLoadingError, error, isFetching, refetch } = useQuery(guestRequestsQuery(eventId));
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useLocation().hash === `#${requestsHeading}`;
  const loaded = data !== undefined;
  // Whoever is led here is led to them; the answer to a change of them takes no focus.
  useEffect(() => {
    if (wanted && loaded) heading.current?.focus();
  }, [wanted, loaded]);

  const seeRequests = useSeeRequests();
  const newest = data?.find(({ seen }) => !seen)?.id;
  useEffect(() => {
    if (newest !== undefined) void seeRequests({ id: newest, eventId });
  }, [newest, eventId, seeRequests]);

  if (isLoadingError)
    return (
      <LoadError
        text={errorMessage(error, t`The requests of guests could not be loaded.`)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined)
    return (
      <Skeleton
        role="status"
        aria-label={t`Loading the requests`}
        height={120}
        sx={{ borderRadius: '16px' }}
      />
    );
  if (data.length === 0 && !alone) return null;
  if (data.length === 0)
    return (
      <Card>
        <EmptyState
          title={t`Nothing to look at`}
          description={t`What guests ask of you comes here: to be removed from photos, for one.`}
        />
      </Card>
    );
  return (
    <Card component="section" aria-labelledby={requestsHeading} sx={{ display: 'grid', gap: 4, p: 4 }}>
      <Box>
        <Typography
          ref={heading}
          variant="h3"
          component="h2"
          id={requestsHeading}
          tabIndex={-1}
          sx={{ outline: 'none' }}
        >
          {t`Requests of guests`}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t`They hold until you decide otherwise, unless they wait for you. Your decision is final.`}
        </Typography>
      </Box>
      {data.map((request) => (
        <Request key={request.id} request={request} timeZone={timeZone} onDelete={onDelete} />
      ))}
    </Card>
  );
}
