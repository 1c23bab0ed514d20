import { t } from '@lingui/core/macro';
import Typography from '@mui/material/Typography';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatRupees } from '../../platform/amounts';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { TextField } from '../../ui/TextField';
import { ActionDialog } from '../../ui/ActionDialog';
import { changeCredits, changeFailedText } from './changes';
import { newKey } from './newKey';
import { maxReasonLength, reasonError } from './reasons';
import type { Account } from './types';

/** Rupees with at most two decimals; undefined for anything else, and for none. */
export function parseRupees(text: string): number | undefined {
  if (!/^\d{1,9}([.,]\d{1,2})?$/.test(text.trim())) return undefined;
  const rupees = Number(text.trim().replace(',', '.'));
  return rupees > 0 ? rupees : undefined;
}

/** What came of a change of credits. */
export interface ChangedCredits {
  account: Account;
  /** Negative if credits were taken. */
  rupees: number;
}

/** Gives credits to an account, or takes them, with a reason that its owner reads. */
export function CreditsDialog({
  account,
  onClose,
  onUnclear,
  onDone,
}: {
  account: Account;
  onClose: () => void;
  /** The account has to be read again: an attempt before was carried out after all. */
  onUnclear: () => void;
  onDone: (changed: ChangedCredits) => void;
}) {
  const [direction, setDirection] = useState<'give' | 'take'>('give');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  // One for all attempts: what was carried out without an answer is not done a second time, also with another amount.
  const [key, setKey] = useState(newKey);
  const positive = parseRupees(amount);
  const rupees = direction === 'take' ? -(positive ?? 0) : (positive ?? 0);
  const balance = account.credits + rupees;
  const change = useMutation({
    mutationFn: () => changeCredits(account.id, { key, rupees, reason: reason.trim() }),
    onSuccess: (answer) => onDone({ account: answer.account, rupees }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'credits_key_used') {
        setKey(newKey());
        onUnclear();
      }
    },
  });
  const tooFew = positive !== undefined && balance < 0;
  const amountError =
    positive === undefined
      ? t`Please enter a valid amount`
      : tooFew
        ? t`The account has fewer credits than that`
        : undefined;
  const failure =
    change.error instanceof ApiError && change.error.code === 'credits_key_used'
      ? t`The change before was made after all. Look at the balance before you make another.`
      : change.isError
        ? errorMessage(change.error, changeFailedText())
        : null;
  return (
    <ActionDialog
      title={t`Credits of ${{ email: account.email }}`}
      text={t`The balance is ${{ balance: formatRupees(account.credits) }}. The change is a line of the ledger, which stays.`}
      action={direction === 'give' ? t`Give credits` : t`Take credits`}
      danger={direction === 'take'}
      busy={change.isPending}
      failure={failure}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (amountError === undefined && reasonError(reason) === undefined) change.mutate();
      }}
    >
      <ToggleButtonGroup
        exclusive
        fullWidth
        aria-label={t`What to do with the credits`}
        value={direction}
        onChange={(_, chosen: 'give' | 'take' | null) => setDirection(chosen ?? direction)}
      >
        <ToggleButton value="give">{t({ context: 'credits', message: 'Give' })}</ToggleButton>
        <ToggleButton value="take">{t({ context: 'credits', message: 'Take' })}</ToggleButton>
      </ToggleButtonGroup>
      <TextField
        label={t`Amount in rupees`}
        error={asked || tooFew ? amountError : undefined}
        helperText={
          positive === undefined ? undefined : t`The balance will be ${{ balance: formatRupees(balance) }}.`
        }
        autoFocus
        value={amount}
        startAdornment={
          <Typography component="span" color="textSecondary" aria-hidden="true">
            ₹
          </Typography>
        }
        inputProps={{ inputMode: 'decimal', autoComplete: 'off' }}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        label={t`Reason`}
        helperText={t`The account’s owner reads it in the payment history.`}
        error={asked ? reasonError(reason) : undefined}
        value={reason}
        inputProps={{ maxLength: maxReasonLength }}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  );
}
