import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { emailSchema } from '../../shared/accounts/schemas';
import { errorMessage } from '../../../platform/api/errors';
import { Alert } from '../../../ui/Alert';
import { Icon } from '../../../ui/Icon';
import { TextField } from '../../../ui/TextField';
import type { MemberRole } from '../../shared/events/sharing/roles';
import { invite } from './team';
import { roleHelp, roleNames } from './texts';
import { useTeamChange } from './useTeamChange';

/** Which role the invited person gets; only the owner makes managers. */
function RoleField({ value, onChange }: { value: MemberRole; onChange: (role: MemberRole) => void }) {
  const id = useId();
  const helpId = useId();
  const names = roleNames();
  return (
    <Box>
      <Box component="label" htmlFor={id} sx={{ display: 'block', fontSize: 14, fontWeight: 600, mb: 1.5 }}>
        {t`Role`}
      </Box>
      <NativeSelect
        value={value}
        onChange={({ target }) => onChange(target.value as MemberRole)}
        input={<OutlinedInput />}
        inputProps={{ id, 'aria-describedby': helpId }}
        fullWidth
      >
        <option value="contributor">{names.contributor}</option>
        <option value="manager">{names.manager}</option>
      </NativeSelect>
      <Typography id={helpId} variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        {roleHelp()[value]}
      </Typography>
    </Box>
  );
}

/** Invites a photographer by mail. */
export function InviteCard({
  eventId,
  owns,
  ownerName,
}: {
  eventId: string;
  /** The photographer is the event's owner. */
  owns: boolean;
  ownerName: string;
}) {
  const titleId = useId();
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: '' } });
  const [role, setRole] = useState<MemberRole>('contributor');
  const { errors } = form.formState;
  const inviting = useTeamChange<string>(eventId, {
    change: (email) => invite(eventId, { email, role }),
    doneText: (email) => t`An invitation is on its way to ${email}.`,
    onDone: () => {
      // The reset forgets the field until it is rendered again.
      form.setFocus('email');
      form.reset();
    },
  });
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Typography variant="h3" component="h2" id={titleId}>
        {t`Invite a photographer`}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1 }}>
        {owns
          ? t`Photos that they upload to this event are paid with your credits.`
          : t`Photos that they upload to this event are paid with the credits of ${ownerName}.`}
      </Typography>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ email }) => inviting.mutate(email))(event)}
        sx={{ display: 'grid', gap: 4.5, mt: 5, maxWidth: 480 }}
      >
        {inviting.isError && (
          <Alert tone="error">
            {errorMessage(inviting.error, t`The invitation could not be sent. Please try again.`)}
          </Alert>
        )}
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="off"
          required
          helperText={t`The mail has a link that is good for 7 days. Whoever has no account yet makes one first.`}
          error={errors.email?.message}
          {...form.register('email')}
        />
        {owns ? (
          <RoleField value={role} onChange={setRole} />
        ) : (
          <Typography variant="body2" color="textSecondary">
            {t`They come as a contributor.`} {roleHelp().contributor}
          </Typography>
        )}
        <Button
          type="submit"
          variant="contained"
          color="ink"
          startIcon={<Icon name="mail" />}
          loading={inviting.isPending}
          sx={{ justifySelf: 'start' }}
        >
          {t`Send invitation`}
        </Button>
      </Box>
    </Card>
  );
}
