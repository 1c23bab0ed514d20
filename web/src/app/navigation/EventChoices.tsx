import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import type { Event } from '../../platform/api/types';
import { Icon } from '../../ui/Icon';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { EventFinder } from '../../studio/shared/events/EventFinder';
import { MoreEventsButton } from '../../studio/shared/events/MoreEventsButton';
import { sharedEventsQuery, useEventList, useEventPages } from '../../studio/shared/events/events';
import { dateAndOwner } from '../../studio/shared/events/sharing/dateAndOwner';
import { useSession } from '../../platform/session/session';
import { EventThumbnail } from './EventThumbnail';

/** Events that are seen at a glance; among more of them one is found by its name. */
const atAGlance = 8;
const noEvents: readonly Event[] = [];

function dateText(event: Event): string {
  const date = dateAndOwner(event);
  return event.deleting ? t`${date} (Deleting...)` : date;
}

/** The photographer's events and then those that are shared with them, fetched when this is shown. */
export function EventChoices({
  selectedId,
  onChoose,
}: {
  selectedId: string | undefined;
  onChoose: (event: Event) => void;
}) {
  const [name, setName] = useState('');
  // What is found meanwhile takes no focus from the name that is typed.
  const [finding, setFinding] = useState(false);
  const session = useSession();
  const fresh = { refetchOnMount: 'always' } as const;
  const { pages, events: loaded } = useEventPages(name, false, fresh);
  const shared = useEventList(sharedEventsQuery(session, name), fresh) ?? noEvents;
  const own = pages.isError ? noEvents : loaded;
  const events = own && [...own, ...shared];
  const count = events?.length ?? 0;
  const list = useRef<HTMLUListElement>(null);
  const focusLoaded = useFocusLoaded(list, count);
  return (
    <>
      {(count > atAGlance || pages.hasNextPage || finding) && (
        <Box sx={{ p: 3, pb: 1 }} onFocus={() => setFinding(true)}>
          <EventFinder
            onFind={setName}
            found={pages.isPlaceholderData ? undefined : events?.length}
            hasMore={pages.hasNextPage}
          />
        </Box>
      )}
      <MenuList
        ref={list}
        role="listbox"
        aria-label={t`Events`}
        aria-busy={events === undefined}
        autoFocusItem={!finding}
      >
        {events === undefined && (
          <Box component="li" role="presentation" sx={{ px: 2.5 }}>
            <Skeleton height={56} />
          </Box>
        )}
        {events?.length === 0 && name === '' && (
          <MenuItem disabled role="option" aria-selected={false} sx={{ '&.Mui-disabled': { opacity: 1 } }}>
            {t`No events created yet`}
          </MenuItem>
        )}
        {events?.map((event) => (
          <MenuItem
            key={event.id}
            role="option"
            selected={event.id === selectedId}
            aria-selected={event.id === selectedId}
            disabled={event.deleting}
            onClick={() => onChoose(event)}
            sx={{ minHeight: 56, gap: 3, px: 2.5, '&.Mui-disabled': { opacity: 1, color: 'text.disabled' } }}
          >
            <EventThumbnail event={event} size={40} dimmed={event.deleting} />
            <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
              <Typography component="span" noWrap sx={{ display: 'block', fontSize: 14, fontWeight: 600 }}>
                {event.name}
              </Typography>
              <Typography component="span" variant="caption" color="textDisabled">
                {dateText(event)}
              </Typography>
            </Box>
            {event.id === selectedId && <Icon name="check" />}
          </MenuItem>
        ))}
      </MenuList>
      <Box sx={{ p: 2, '&:empty': { display: 'none' } }}>
        <MoreEventsButton pages={pages} onLoad={focusLoaded} />
      </Box>
    </>
  );
}
