import type { ComponentProps } from 'react';
import { PasswordField } from '../../../ui/PasswordField';
import { useLogins } from './logins';

/** The field for the password of the account; none where nobody has one, since the server asks for a new login there. */
export function CurrentPasswordField(props: Omit<ComponentProps<typeof PasswordField>, 'autoComplete'>) {
  const { passwords } = useLogins();
  return passwords ? <PasswordField {...props} autoComplete="current-password" /> : null;
}
