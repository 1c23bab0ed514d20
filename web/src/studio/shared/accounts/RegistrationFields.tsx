import { t } from '@lingui/core/macro';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { PasswordField } from '../../../ui/PasswordField';
import { TextField } from '../../../ui/TextField';
import type { registrationSchema } from './schemas';

/** What a new account is made of. */
export type RegistrationForm = z.infer<typeof registrationSchema>;

export const emptyRegistration: RegistrationForm = { name: '', email: '', password: '', confirmation: '' };

/** The fields of a new account. */
export function RegistrationFields({ form }: { form: UseFormReturn<RegistrationForm> }) {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label={t`Full name`}
        autoComplete="name"
        required
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="username"
        required
        error={errors.email?.message}
        {...form.register('email')}
      />
      <PasswordField
        label={t`Password`}
        autoComplete="new-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <PasswordField
        label={t`Confirm password`}
        autoComplete="new-password"
        required
        error={errors.confirmation?.message}
        {...form.register('confirmation')}
      />
    </>
  );
}
