import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../../platform/api/errors';
import { SettingGroup, SettingRow } from '../../../ui/SettingRow';
import { TextField } from '../../../ui/TextField';
import { eventPinQuery } from '../../shared/events/eventPin';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { DownloadsField } from './DownloadsField';
import { FieldRow } from './FieldRow';
import { SwitchRow } from './SwitchRow';
import { useSaveSetting } from '../../shared/events/editing/useSaveSetting';

function PinRow() {
  const event = useWorkspaceEvent();
  const loaded = useQuery(eventPinQuery(event.id, event.asks_pin));
  // Without its PIN, an event that asks for one is not changed.
  const pin = event.asks_pin ? loaded.data : null;
  const failure = loaded.isError ? errorMessage(loaded.error, t`The PIN could not be loaded.`) : '…';
  return (
    <FieldRow
      title={t`PIN for guests`}
      hint={t`6 to 8 digits, which guests enter before they can search; empty for none. When it changes, all of them enter the new one.`}
      shown={pin === undefined ? failure : (pin ?? t`None`)}
      disabled={pin === undefined}
      value={pin ?? ''}
      check={(entered) =>
        entered === '' || /^[\p{Nd}\s-]+$/u.test(entered) ? undefined : t`The PIN must have 6 to 8 digits`
      }
      change={(entered) => ({ pin: entered || null })}
    >
      {(field) => (
        <TextField
          {...field}
          autoComplete="off"
          slotProps={{ input: { inputMode: 'numeric', maxLength: 20 } }}
        />
      )}
    </FieldRow>
  );
}

function DownloadsRow() {
  const { downloads } = useWorkspaceEvent();
  const { change, save } = useSaveSetting();
  const chosen = change.isPending ? (change.variables.downloads ?? downloads) : downloads;
  return (
    <DownloadsField
      value={chosen}
      disabled={change.isPending}
      onChange={(value) => save({ downloads: value }, { downloads })}
    />
  );
}

function GuestPhotoLimitRow() {
  const event = useWorkspaceEvent();
  const limit = String(event.guest_photo_limit);
  const isLimit = (entered: string) =>
    /^\d+$/.test(entered) && Number(entered) >= 1 && Number(entered) <= 200;
  return (
    <FieldRow
      title={t`Photos from each guest`}
      hint={t`How many photos one guest's phone may add, from 1 to 200.`}
      shown={limit}
      value={limit}
      check={(entered) =>
        isLimit(entered) ? undefined : t`Photos from each guest must be a number from 1 to 200`
      }
      change={(entered) => ({ guest_photo_limit: Number(entered) })}
    >
      {(field) => (
        <TextField
          {...field}
          autoComplete="off"
          slotProps={{ input: { inputMode: 'numeric', maxLength: 3 } }}
        />
      )}
    </FieldRow>
  );
}

/** What guests of the event can do. */
export function GuestSettings() {
  const event = useWorkspaceEvent();
  return (
    <SettingGroup id="guests" title={t`What guests can do`}>
      <SettingRow title={t`Find themselves by a selfie`} hint={t`Always`} />
      <PinRow />
      <SwitchRow
        title={t`Guests may browse all photos`}
        hint={
          event.asks_pin
            ? t`Everybody who has the link and the PIN sees everybody's photos, not only their own. Photos that guests asked to hide stay hidden.`
            : t`Everybody who has the link sees everybody's photos, not only their own. A PIN is recommended. Photos that guests asked to hide stay hidden.`
        }
        checked={event.browsable}
        change={(browsable) => ({ browsable })}
      />
      <DownloadsRow />
      <SwitchRow
        title={t`Files keep their names`}
        hint={t`What guests save is called as your files are, not photo-1.jpg.`}
        checked={event.keeps_names}
        change={(keeps_names) => ({ keeps_names })}
      />
      <SwitchRow
        title={t`Guests get originals with location and serial numbers`}
        hint={t`And with names of people and keywords, where your program writes them.`}
        checked={event.keeps_metadata}
        change={(keeps_metadata) => ({ keeps_metadata })}
      />
      <SwitchRow
        title={t`Guests may add photos`}
        hint={t`They wait for you, seen by nobody else. Let in, each costs what an upload costs; what you do not let in goes after 14 days.`}
        checked={event.takes_guest_photos}
        change={(takes_guest_photos) => ({ takes_guest_photos })}
      />
      {event.takes_guest_photos && <GuestPhotoLimitRow />}
      <SwitchRow
        title={t`Guests can ask me about photos`}
        hint={t`By mail, from the photo`}
        checked={event.takes_questions}
        change={(takes_questions) => ({ takes_questions })}
      />
      {event.tells_guests !== 'unavailable' && (
        <SwitchRow
          title={t`Tell guests about new photos by e-mail`}
          checked={event.tells_guests === 'on'}
          change={(tells_guests) => ({ tells_guests })}
        />
      )}
    </SettingGroup>
  );
}
