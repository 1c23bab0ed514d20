import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { SettingGroup, SettingRow } from '../../../ui/SettingRow';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { statisticsQuery } from '../../shared/events/workspace/statistics';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { photoListsKey } from '../photos/photos';
import { useDeletePhotos } from '../photos/useDeletePhotos';
import { guestRequestsQuery } from '../../shared/notifications/guestRequests';
import { guestPhotosQuery } from '../../shared/notifications/guestPhotos';
import { ClientSelections } from './ClientSelections';
import { GuestPhotos } from './GuestPhotos';
import { GuestRequests } from './GuestRequests';
import { toldGuestsQuery } from './toldGuests';

function toldHint({ total, waiting }: { total: number; waiting: number }): string {
  if (total === 0) return t`They can leave a selfie and an address on the event's page.`;
  if (waiting === 0) return t`They get one mail a day at most.`;
  return plural(waiting, {
    one: 'To # of them no mail has gone yet.',
    other: 'To # of them no mail has gone yet.',
  });
}

/** How many guests have left a selfie and an address. */
function ToldGuests({ eventId }: { eventId: string }) {
  const { data, error } = useQuery(toldGuestsQuery(eventId));
  if (data === undefined)
    return (
      error !== null && (
        <SettingGroup id="told" title={t`New photos`}>
          <SettingRow title={error.message} />
        </SettingGroup>
      )
    );
  const { total } = data;
  return (
    <SettingGroup id="told" title={t`New photos`}>
      <SettingRow
        title={
          total === 0
            ? t`No guest waits for new photos`
            : plural(total, {
                one: '# guest is told of new photos',
                other: '# guests are told of new photos',
              })
        }
        hint={toldHint(data)}
      />
    </SettingGroup>
  );
}

/** What guests ask of the photographer, and beside it what they like. */
export default function GuestsPage() {
  const event = useWorkspaceEvent();
  const client = useQueryClient();
  const hearts = useQuery(statisticsQuery(event.id)).data?.totals.hearts;
  const waiting = useQuery(guestPhotosQuery(event.id)).data?.photos.length ?? 0;
  const deletion = useDeletePhotos(event.id, () => {
    void client.invalidateQueries({ queryKey: guestRequestsQuery(event.id).queryKey });
    void client.invalidateQueries({ queryKey: photoListsKey(event.id) });
  });
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 372px' },
        gap: { xs: 5, md: 6 },
        alignItems: 'start',
      }}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <GuestPhotos eventId={event.id} />
        <GuestRequests
          eventId={event.id}
          timeZone={event.time_zone}
          onDelete={deletion.mutate}
          alone={waiting === 0}
        />
        <ClientSelections eventId={event.id} timeZone={event.time_zone} />
      </Box>
      <Box component="aside" aria-label={t`What guests like and ask`} sx={{ display: 'grid', gap: 4 }}>
        {event.tells_guests === 'on' && <ToldGuests eventId={event.id} />}
        <SettingGroup id="favourites" title={t`Favourites`}>
          <SettingRow
            title={
              hearts === undefined
                ? '…'
                : plural(hearts, { one: '# heart was put on photos', other: '# hearts were put on photos' })
            }
            hint={t`Each photo says in the gallery how many it has. Nobody's name is kept.`}
          >
            <Button component={Link} to={eventScreenAddress('/admin/statistics', event.id)}>
              {t`Statistics`}
            </Button>
          </SettingRow>
        </SettingGroup>
        <SettingGroup id="questions" title={t`Questions`}>
          <SettingRow
            title={event.takes_questions ? t`Guests can ask you` : t`Guests cannot ask you`}
            hint={
              event.takes_questions
                ? t`Their questions come to you by mail, with a link to the photo. Your answer goes to the guest.`
                : t`You have switched questions off for this event.`
            }
          >
            <Button component={Link} to={`${eventScreenAddress('/admin/settings', event.id)}#guests`}>
              {t`Change`}
            </Button>
          </SettingRow>
        </SettingGroup>
      </Box>
    </Box>
  );
}
