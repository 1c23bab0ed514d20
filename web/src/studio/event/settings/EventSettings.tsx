import { t } from '@lingui/core/macro';
import { siteName } from '../../../platform/siteName';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useId } from 'react';
import { Link } from 'react-router';
import { sameOrigin } from '../../../platform/api/links';
import { position } from '../../../platform/renditions';
import { SettingGroup, SettingRow } from '../../../ui/SettingRow';
import { TextField } from '../../../ui/TextField';
import { eventDateRange, eventFields } from '../../shared/events/editing/eventFields';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatLongDate } from '../../../platform/formats';
import { FieldRow } from './FieldRow';
import { SwitchRow } from './SwitchRow';
import { useSaveSetting } from '../../shared/events/editing/useSaveSetting';

const maxDescription = 2000;

const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The first thing that is wrong, in words. */
const problemOf = ({ error }: { error?: { issues: readonly { message: string }[] } }): string | undefined =>
  error?.issues[0]?.message;

/** On a phone the buttons stand below one another, beside the name of the setting. */
const narrow = { maxWidth: { xs: 236, sm: 'none' } } as const;

function CoverRow() {
  const { id, cover_url, cover_thumbnail_url, cover_focus, cover_is_automatic } = useWorkspaceEvent();
  const { change, save } = useSaveSetting();
  if (typeof cover_url !== 'string')
    return (
      <SettingRow
        title={t`Cover`}
        hint={t`Its cover is the drawn sky. To show a photo, open it in the gallery and choose “Use as cover”.`}
      />
    );
  return (
    <SettingRow
      title={t`Cover`}
      {...(cover_is_automatic === true && {
        hint: t`${siteName} has chosen it. Guests see it only where everybody with the link may look at all photos, without a watermark; otherwise they see the drawn sky. To show another photo, open it in the gallery and choose “Use as cover”.`,
      })}
      stacked={cover_is_automatic === true}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, ...(cover_is_automatic !== true && narrow) }}>
        <Box
          component="img"
          src={sameOrigin(cover_thumbnail_url ?? cover_url)}
          alt={t`The cover`}
          style={{ objectPosition: position(cover_focus) }}
          sx={{
            flex: 'none',
            width: 64,
            height: 44,
            objectFit: 'cover',
            objectPosition: '50% 20%',
            borderRadius: '4px',
          }}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
          <Button component={Link} to={eventScreenAddress('/admin/gallery', id)}>
            {t`Change cover`}
          </Button>
          <Button loading={change.isPending} onClick={() => save({ cover_photo_id: null }, null)}>
            {t`Use the drawn sky`}
          </Button>
        </Box>
      </Box>
    </SettingRow>
  );
}

/** What the event is. */
export function EventSettings() {
  const event = useWorkspaceEvent();
  const zonesId = useId();
  const fields = eventFields(event.date);
  return (
    <SettingGroup id="event" title={t`The event`}>
      <FieldRow
        title={t`Event name`}
        shown={event.name}
        value={event.name}
        check={(entered) => problemOf(fields.name.safeParse(entered))}
        change={(name) => ({ name })}
      >
        {(field) => <TextField {...field} required />}
      </FieldRow>
      <FieldRow
        title={t`Event date`}
        shown={`${formatLongDate(event.date)}, ${event.time_zone}`}
        value={event.date}
        check={(entered) => problemOf(fields.date.safeParse(entered))}
        change={(date) => ({ date })}
      >
        {(field) => <TextField {...field} type="date" required slotProps={{ input: eventDateRange() }} />}
      </FieldRow>
      <FieldRow
        title={t`Time zone`}
        hint={t`Where the event takes place: its days begin there.`}
        shown={event.time_zone}
        value={event.time_zone}
        check={(entered) =>
          entered === '' ? t`Event time zone must be a name such as Asia/Kolkata` : undefined
        }
        change={(time_zone) => ({ time_zone })}
      >
        {(field) => (
          <>
            <TextField
              {...field}
              autoComplete="off"
              slotProps={{ input: { list: zonesId, spellCheck: false } }}
            />
            <datalist id={zonesId}>
              {zones().map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </FieldRow>
      <FieldRow
        title={t`Description`}
        hint={t`Guests read it under the name.`}
        shown={event.description ?? t`None`}
        value={event.description ?? ''}
        check={(entered) =>
          entered.length > maxDescription
            ? t`Event description must be at most 2,000 characters long`
            : undefined
        }
        change={(description) => ({ description: description || null })}
      >
        {(field) => <TextField {...field} multiline rows={4} />}
      </FieldRow>
      <CoverRow />
      <SwitchRow
        title={t`Put photos that are alike together`}
        hint={t`Of a burst, or of a picture that was uploaded twice, the best is shown, and the others by a tap: to you and to guests, who save the best of each. No photo is lost by it.`}
        checked={event.stacks_photos}
        change={(stacks_photos) => ({ stacks_photos })}
      />
    </SettingGroup>
  );
}
