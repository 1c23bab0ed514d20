import { t } from '@lingui/core/macro';

export const administrationPath = '/admin/administration';
export const webhooksPath = `${administrationPath}/webhooks`;

/** The screens of the administration, in the order of its navigation. */
export const administrationScreens = (): { label: string; to: string }[] => [
  { label: t`Overview`, to: administrationPath },
  { label: t({ context: 'of the service', message: 'Accounts' }), to: `${administrationPath}/accounts` },
  { label: t`Events`, to: `${administrationPath}/events` },
  { label: t`Jobs`, to: `${administrationPath}/jobs` },
  { label: t`Refunds`, to: `${administrationPath}/refunds` },
  { label: t`Webhooks`, to: webhooksPath },
  { label: t`Settings`, to: `${administrationPath}/settings` },
];

/** The address of one account's screen. */
export const accountAddress = (id: string): string =>
  `${administrationPath}/accounts/${encodeURIComponent(id)}`;
