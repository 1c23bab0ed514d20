import type { components } from '../../platform/api/schema.gen';

type Schemas = components['schemas'];

export type Overview = Schemas['OverviewBody'];
export type Account = Schemas['AccountBody'];
/** What a dialog gets that changes an account. */
export interface AccountDialogProps {
  account: Account;
  onClose: () => void;
  onDone: (account: Account) => void;
}
/** Whose something is. */
export type Owner = Schemas['HolderBody'];
export type SizedEvent = Schemas['SizedEventBody'];
export type KindOfJobs = Schemas['JobKindBody'];
export type FailedJob = Schemas['FailedJobBody'];
export type DueRefund = Schemas['RefundDueBody'];
export type FailedOrder = Schemas['FailedOrderBody'];
export type Setting = Schemas['SettingBody'];
