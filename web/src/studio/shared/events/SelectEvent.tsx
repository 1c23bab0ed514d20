import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { EmptyState } from '../../../ui/EmptyState';
import { Alert } from '../../../ui/Alert';
import { Sky } from '../../../ui/Sky';
import { useFocusLoaded } from '../../../ui/useFocusLoaded';
import { useSession } from '../../../platform/session/session';
import { EventFinder } from './EventFinder';
import { withEvent } from './eventScreens';
import { MoreEventsButton } from './MoreEventsButton';
import { sharedEventsQuery, useEventList, useEventPages } from './events';
import { dateAndOwner } from './sharing/dateAndOwner';

/** Lets the photographer select an event, on screens that show the event of their address. */
export function SelectEvent({ description }: { description: string }) {
  const [name, setName] = useState('');
  const session = useSession();
  const { pages, events = [] } = useEventPages(name);
  const shared = useEventList(sharedEventsQuery(session, name)) ?? [];
  const location = useLocation();
  const navigate = useNavigate();
  const choices = [...events, ...shared].filter((event) => !event.deleting);
  const list = useRef<HTMLUListElement>(null);
  const focusLoaded = useFocusLoaded(list, choices.length);
  if (pages.isLoadingError) {
    return (
      <Box sx={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
        <Alert tone="error">{t`Failed to load events. Please try again.`}</Alert>
        <Button variant="outlined" loading={pages.isFetching} onClick={() => void pages.refetch()}>
          {t`Try again`}
        </Button>
      </Box>
    );
  }
  const unfiltered = name === '' && !pages.isPlaceholderData;
  return (
    <Card>
      <EmptyState title={t`Select an Event`} description={description}>
        {pages.isPending && <Skeleton width={320} height={56} sx={{ borderRadius: '12px' }} />}
        {pages.isSuccess && choices.length === 0 && !pages.hasNextPage && unfiltered && (
          <Button component={Link} to="/admin/event-registration" variant="contained" color="primary">
            {t`Create Your First Event`}
          </Button>
        )}
        {(pages.hasNextPage || !unfiltered) && (
          <EventFinder
            onFind={setName}
            found={pages.isPlaceholderData ? undefined : choices.length}
            hasMore={pages.hasNextPage}
          />
        )}
        {choices.length > 0 && (
          <Box
            component="ul"
            ref={list}
            aria-label={t`Events`}
            sx={{
              m: 0,
              p: 0,
              listStyle: 'none',
              width: 340,
              maxWidth: '80vw',
              maxHeight: 320,
              overflow: 'auto',
            }}
          >
            {choices.map((event) => (
              <li key={event.id} tabIndex={-1}>
                <ButtonBase
                  onClick={() => void navigate(withEvent(location, event.id), { replace: true })}
                  sx={(theme) => ({
                    width: '100%',
                    minHeight: 56,
                    gap: 3,
                    p: 2,
                    borderRadius: '10px',
                    justifyContent: 'flex-start',
                    textAlign: 'left',
                    '&:hover': { backgroundColor: theme.vars.palette.hover },
                    '&.Mui-focusVisible': { outlineOffset: -3 },
                  })}
                >
                  <Box sx={{ width: 40, height: 40, flex: 'none', borderRadius: '8px', overflow: 'hidden' }}>
                    <Sky slug={event.slug} />
                  </Box>
                  <Box component="span" sx={{ minWidth: 0 }}>
                    <Typography
                      component="span"
                      noWrap
                      sx={{ display: 'block', fontSize: 14, fontWeight: 600 }}
                    >
                      {event.name}
                    </Typography>
                    <Typography component="span" variant="caption" color="textDisabled">
                      {dateAndOwner(event)}
                    </Typography>
                  </Box>
                </ButtonBase>
              </li>
            ))}
          </Box>
        )}
        <MoreEventsButton pages={pages} onLoad={focusLoaded} />
      </EmptyState>
    </Card>
  );
}
