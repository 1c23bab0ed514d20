import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

interface Expiring {
  expires_at?: string | null;
}

export const hasExpired = ({ expires_at }: Expiring): boolean =>
  expires_at != null && new Date(expires_at).getTime() <= Date.now();

/** Until when something is good. */
export function expiryText(of: Expiring): string {
  if (of.expires_at == null) return t`Does not expire`;
  const day = i18n.date(new Date(of.expires_at), { dateStyle: 'medium' });
  return hasExpired(of) ? t`Expired on ${{ day }}` : t`Expires on ${{ day }}`;
}
