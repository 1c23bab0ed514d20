import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import { formatCount } from '../../../platform/formats';
import { formatDayOf, formatShortDate } from '../../../platform/shortDates';
import { ActionDialog } from '../../../ui/ActionDialog';
import { Alert } from '../../../ui/Alert';
import { Icon } from '../../../ui/Icon';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { type ClientSelection, clientSelectionsQuery } from '../../shared/notifications/clientSelections';
import { LoadError } from '../photos/LoadError';
import { useChangeSelections } from './clientSelections';
import { SelectionDialog } from './SelectionDialog';

/** The id of the heading, to which the gallery leads back. */
const headingId = 'selections';

function countText({ chosen, photo_limit: limit }: ClientSelection): string {
  const count = formatCount(chosen);
  if (limit == null) return plural(chosen, { one: '# photo chosen', other: '# photos chosen' });
  const most = formatCount(limit);
  return t`${count} of ${most} chosen`;
}

/** Today where the event takes place, as YYYY-MM-DD. */
const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());

function stateOf({ done_at: done, due_on: day }: ClientSelection, timeZone: string): string {
  if (done != null) return t`Done on ${{ date: formatDayOf(done, timeZone) }}`;
  if (day == null) return t`Choosing`;
  const date = formatShortDate(day);
  return day < todayIn(timeZone) ? t`The last day, ${date}, has passed` : t`Choosing until ${date}`;
}

/** What one client was asked to choose. */
function Row({
  eventId,
  timeZone,
  selection,
  onChange,
}: {
  eventId: string;
  timeZone: string;
  selection: ClientSelection;
  onChange: () => void;
}) {
  const { id, name, url, done_at: done, message, pin, album_deleted: albumDeleted } = selection;
  const { copy, copied, failed } = useCopyToClipboard(url);
  const change = useChangeSelections(eventId);
  const [deleting, setDeleting] = useState(false);
  const view = `${eventScreenAddress('/admin/gallery', eventId)}&selection=${encodeURIComponent(id)}`;
  return (
    <Box component="article" aria-label={name} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography variant="subtitle1" component="h3">
            {name}
          </Typography>
          {selection.is_new && <Chip size="small" label={t`New`} />}
        </Box>
        <Typography variant="body2" color="textSecondary">
          {[countText(selection), stateOf(selection, timeZone), pin != null && t`PIN ${pin}`]
            .filter((part) => part !== false)
            .join(' · ')}
        </Typography>
        {albumDeleted && (
          <Typography variant="body2" color="textSecondary">
            {t`Its album is deleted: they see only the photos that they have marked. Change it to show others.`}
          </Typography>
        )}
        {done != null && message != null && (
          <Typography variant="body2" sx={{ mt: 1, whiteSpace: 'pre-line' }}>
            {message}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button variant={done == null ? 'outlined' : 'contained'} component={Link} to={view}>
          {t`View photos`}
        </Button>
        <Button variant="outlined" startIcon={<Icon name={copied ? 'check' : 'copy'} />} onClick={copy}>
          {copied ? t`Copied` : t`Copy link`}
        </Button>
        {done != null && (
          <Button
            variant="outlined"
            loading={change.isPending && change.variables.what === 'reopen'}
            onClick={() => change.mutate({ what: 'reopen', id })}
          >
            {t`Reopen`}
          </Button>
        )}
        <Button onClick={onChange}>{t`Change`}</Button>
        <Button
          color="error"
          onClick={() => {
            change.reset();
            setDeleting(true);
          }}
        >
          {t`Delete`}
        </Button>
      </Box>
      <VisuallyHidden role="status">{copied ? t`URL copied to clipboard!` : ''}</VisuallyHidden>
      {failed && (
        <Alert tone="warning">
          {t`The URL could not be copied. Please select it and copy it yourself.`} <bdi dir="ltr">{url}</bdi>
        </Alert>
      )}
      {change.isError && !deleting && (
        <Alert tone="error">
          {errorMessage(change.error, t`The selection could not be saved. Please try again.`)}
        </Alert>
      )}
      {deleting && (
        <ActionDialog
          danger
          title={t`Delete the selection of ${name}?`}
          text={t`The link stops working at once, and what they have chosen and said goes for good. The photos stay.`}
          action={t`Delete`}
          busy={change.isPending}
          failure={
            change.isError
              ? errorMessage(change.error, t`The selection could not be saved. Please try again.`)
              : null
          }
          onClose={() => setDeleting(false)}
          onSubmit={() => change.mutate({ what: 'delete', id })}
        />
      )}
    </Box>
  );
}

/** What clients were asked to choose of an event: made, looked at, reopened here. */
export function ClientSelections({ eventId, timeZone }: { eventId: string; timeZone: string }) {
  const { data, isLoadingError, error, isFetching, refetch } = useQuery(clientSelectionsQuery(eventId));
  const [edited, setEdited] = useState<ClientSelection | 'new' | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useLocation().hash === `#${headingId}`;
  const loaded = data !== undefined;
  // Whoever is led here is led to them.
  useEffect(() => {
    if (wanted && loaded) heading.current?.focus();
  }, [wanted, loaded]);
  return (
    <Card component="section" aria-labelledby={headingId} sx={{ display: 'grid', gap: 4, p: 4 }}>
      <Box>
        <Typography
          ref={heading}
          variant="h3"
          component="h2"
          id={headingId}
          tabIndex={-1}
          sx={{ outline: 'none' }}
        >
          {t`Selections`}
        </Typography>
        {data?.length === 0 && (
          <Typography color="textSecondary" sx={{ mt: 1 }}>
            {t`A client marks the photos for an album, or for prints, by a link of their own.`}
          </Typography>
        )}
      </Box>
      {isLoadingError && (
        <LoadError
          text={errorMessage(error, t`The selections could not be loaded.`)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data?.map((selection) => (
        <Row
          key={selection.id}
          eventId={eventId}
          timeZone={timeZone}
          selection={selection}
          onChange={() => setEdited(selection)}
        />
      ))}
      {loaded && (
        <Box>
          <Button variant="outlined" startIcon={<Icon name="plus" />} onClick={() => setEdited('new')}>
            {t`Ask a client to choose`}
          </Button>
        </Box>
      )}
      {edited !== null && (
        <SelectionDialog
          eventId={eventId}
          selection={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => setEdited(null)}
        />
      )}
    </Card>
  );
}
