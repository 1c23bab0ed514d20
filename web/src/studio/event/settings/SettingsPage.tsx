import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { SettingGroup, SettingRow } from '../../../ui/SettingRow';
import { TextField } from '../../../ui/TextField';
import { KeepChoice, keptText, useKeeping } from '../../shared/events/editing/keeping';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatShortDate } from '../../../platform/shortDates';
import { CameraDialog } from './CameraDialog';
import { EventSettings } from './EventSettings';
import { FieldRow } from './FieldRow';
import { GuestSettings } from './GuestSettings';
import { KeptSearchesRow } from './KeptSearchesRow';
import { SwitchRow } from './SwitchRow';

const millisecondsPerDay = 86_400_000;
/** Days from now to the first day on which photos can be removed: the server warns of it a week before. */
const notice = 8;

function UploadSettings() {
  const event = useWorkspaceEvent();
  const [camera, setCamera] = useState(false);
  const [titleId, buttonId] = [useId(), useId()];
  return (
    <SettingGroup id="uploads" title={t`Uploads`}>
      <SwitchRow
        title={t`Open to uploads`}
        hint={t`You and your team can add photos`}
        checked={!event.uploads_closed}
        change={(open) => ({ uploads_closed: !open })}
      />
      <SettingRow title={t`Camera (FTP)`} titleId={titleId} hint={t`A login of this event's own`}>
        <Button
          id={buttonId}
          aria-labelledby={`${buttonId} ${titleId}`}
          aria-haspopup="dialog"
          onClick={() => setCamera(true)}
        >
          {t`Set up`}
        </Button>
      </SettingRow>
      {camera && <CameraDialog event={event} onClose={() => setCamera(false)} />}
    </SettingGroup>
  );
}

function PeriodRow() {
  const { keep_days } = useWorkspaceEvent();
  const { options, ownDays } = useKeeping();
  if (options.length < 2) return null;
  return (
    <FieldRow
      title={t`Keep photos for`}
      hint={t`Counted from the event’s date or its last upload, whichever is later. A mail warns you a week before.`}
      shown={keptText(keep_days)}
      value={String(keep_days)}
      change={(days) => ({ keep_days: Number(days) === ownDays ? null : Number(days) })}
    >
      {({ value, autoFocus, onChange }) => (
        <KeepChoice
          value={Number(value)}
          options={options}
          autoFocus={autoFocus}
          onChange={(days) => onChange({ target: { value: String(days) } })}
        />
      )}
    </FieldRow>
  );
}

function expiryText(latest: string | null | undefined): string {
  return typeof latest === 'string'
    ? t`A mail warns you a week before. Without a day they are kept until ${{ date: formatShortDate(latest) }}.`
    : t`A mail warns you a week before. Without a day they are kept.`;
}

/** The first day on which photos can be removed where the event takes place, as YYYY-MM-DD. */
function firstDayIn(timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
  return new Date(Date.parse(today) + notice * millisecondsPerDay).toISOString().slice(0, 10);
}

function RemovalRow() {
  const { expires_on, latest_expires_on, time_zone } = useWorkspaceEvent();
  const hint = expiryText(latest_expires_on);
  return (
    <FieldRow
      title={t`Photos are removed on`}
      hint={hint}
      shown={typeof expires_on === 'string' ? formatShortDate(expires_on) : hint}
      value={expires_on ?? ''}
      change={(day) => ({ expires_on: day || null })}
    >
      {(field) => (
        <TextField
          {...field}
          type="date"
          slotProps={{ input: { min: firstDayIn(time_zone), max: latest_expires_on ?? undefined } }}
        />
      )}
    </FieldRow>
  );
}

const groups = (): { id: string; label: string }[] => [
  { id: 'event', label: t`The event` },
  { id: 'guests', label: t`What guests can do` },
  { id: 'uploads', label: t`Uploads` },
  { id: 'team', label: t`Team` },
  { id: 'keeping', label: t`Keeping` },
];

/** All settings of an event, each saved by itself. `team` and `people` are of other features. */
export function SettingsPage({ team, people }: { team: ReactNode; people: ReactNode }) {
  const event = useWorkspaceEvent();
  const { hash, search } = useLocation();
  const wanted = hash.slice(1);
  const [first] = groups();
  const current = groups().find(({ id }) => id === wanted)?.id ?? first?.id;
  useEffect(() => {
    if (wanted !== '') document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '200px minmax(0, 720px)' },
        gap: 12,
        alignItems: 'start',
      }}
    >
      <Box
        component="nav"
        aria-label={t`Settings`}
        sx={{ display: { xs: 'none', md: 'grid' }, gap: 0.5, position: 'sticky', top: 88 }}
      >
        {groups().map(({ id, label }) => (
          <Box
            component={Link}
            key={id}
            to={{ search, hash: id }}
            aria-current={id === current ? 'true' : undefined}
            sx={(theme) => ({
              px: 3.5,
              py: 2.5,
              borderRadius: '10px',
              fontSize: 15,
              textDecoration: 'none',
              color: theme.vars.palette.text.secondary,
              '&:hover': { color: theme.vars.palette.text.primary },
              '&[aria-current]': {
                fontWeight: 600,
                color: theme.vars.palette.text.primary,
                backgroundColor: theme.vars.palette.sunken,
              },
            })}
          >
            {label}
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
        <EventSettings />
        <GuestSettings />
        <UploadSettings />
        <Box
          component="section"
          id="team"
          aria-labelledby="team-title"
          sx={{ display: 'grid', gap: 4, scrollMarginTop: 84 }}
        >
          <Typography variant="h3" component="h2" id="team-title" sx={{ mt: 4 }}>
            {t`Team`}
          </Typography>
          {team}
        </Box>
        <SettingGroup id="keeping" title={t`Keeping`}>
          {event.role === 'owner' && (
            <>
              <PeriodRow />
              <RemovalRow />
            </>
          )}
          {people}
          <KeptSearchesRow />
        </SettingGroup>
      </Box>
    </Box>
  );
}
