import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import type { MemberRole } from '../../shared/events/sharing/roles';
import type { Team, TeamMember } from '../../shared/events/sharing/team';
import { formatDayOf } from '../../../platform/shortDates';
import { changeRole, removeMember } from './team';
import { TeamRow } from './TeamRow';
import { photosText, roleNames } from './texts';
import { useTeamChange } from './useTeamChange';

/** Makes a contributor a manager, or the other way round. */
function RoleSelect({ eventId, member }: { eventId: string; member: TeamMember }) {
  const change = useTeamChange<MemberRole>(eventId, {
    change: (role) => changeRole(eventId, member.id, role),
    doneText: (role) =>
      role === 'manager'
        ? t`${{ name: member.name }} is a manager now.`
        : t`${{ name: member.name }} is a contributor now.`,
    failedText: () => t`The role could not be changed. Please try again.`,
  });
  const names = roleNames();
  return (
    <NativeSelect
      value={change.isPending ? change.variables : member.role}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.value as MemberRole)}
      input={<OutlinedInput />}
      inputProps={{ 'aria-label': t`Role of ${{ name: member.name }}` }}
      sx={{ minHeight: 44 }}
    >
      <option value="contributor">{names.contributor}</option>
      <option value="manager">{names.manager}</option>
    </NativeSelect>
  );
}

function Member({
  eventId,
  member,
  owns,
  onRemove,
  onLeave,
}: {
  eventId: string;
  member: TeamMember;
  owns: boolean;
  onRemove: () => void;
  onLeave: () => void;
}) {
  const nameId = useId();
  const buttonId = useId();
  const { name, email, role, since, photos, is_you } = member;
  const day = formatDayOf(since);
  return (
    <TeamRow
      name={is_you ? t`${name} (you)` : name}
      nameId={nameId}
      role={roleNames()[role]}
      lines={[email, t`${{ photos: photosText(photos) }}, since ${day}`]}
    >
      {owns && <RoleSelect eventId={eventId} member={member} />}
      {is_you && (
        <Button color="error" onClick={onLeave}>
          {t`Leave`}
        </Button>
      )}
      {!is_you && (owns || role === 'contributor') && (
        <Button id={buttonId} color="error" aria-labelledby={`${buttonId} ${nameId}`} onClick={onRemove}>
          {t`Remove`}
        </Button>
      )}
    </TeamRow>
  );
}

function RemoveDialog({
  eventId,
  member,
  onClose,
}: {
  eventId: string;
  member: TeamMember;
  onClose: () => void;
}) {
  const removal = useTeamChange<TeamMember>(eventId, {
    change: ({ id }) => removeMember(eventId, id),
    doneText: ({ name }) => t`${name} is no longer in the team.`,
    onDone: onClose,
  });
  const count = member.photos;
  const stay =
    count === 0
      ? ''
      : plural(count, {
          one: 'Their photo stays in the event.',
          other: 'Their # photos stay in the event.',
        });
  return (
    <ActionDialog
      title={t`Remove ${{ name: member.name }}?`}
      text={
        <>
          {t`They can no longer see the event or upload to it, from this moment on.`} {stay}
        </>
      }
      action={t`Remove from the team`}
      danger
      busy={removal.isPending}
      failure={
        removal.isError
          ? errorMessage(removal.error, t`The person could not be removed. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => removal.mutate(member)}
    />
  );
}

/** The owner and the members of an event. */
export function MembersCard({
  eventId,
  team,
  owns,
  onLeave,
}: {
  eventId: string;
  team: Team;
  /** The photographer is the event's owner. */
  owns: boolean;
  onLeave: () => void;
}) {
  const titleId = useId();
  const [removing, setRemoving] = useState<TeamMember | null>(null);
  const { name, photos } = team.owner;
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Typography variant="h3" component="h2" id={titleId}>
        {t`Who works on this event`}
      </Typography>
      <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        <TeamRow
          name={owns ? t`${name} (you)` : name}
          role={roleNames().owner}
          lines={[t`${{ photos: photosText(photos) }}; pays for everybody’s photos`]}
        />
        {team.members.map((member) => (
          <Member
            key={member.id}
            eventId={eventId}
            member={member}
            owns={owns}
            onRemove={() => setRemoving(member)}
            onLeave={onLeave}
          />
        ))}
      </Box>
      {removing !== null && (
        <RemoveDialog eventId={eventId} member={removing} onClose={() => setRemoving(null)} />
      )}
    </Card>
  );
}
