import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import { TextField } from '../../ui/TextField';
import { ActionDialog } from '../../ui/ActionDialog';
import { changeFailedText, lockAccount } from './changes';
import { maxReasonLength, reasonError } from './reasons';
import type { AccountDialogProps } from './types';

/** Asks why an account is locked. */
export function LockDialog({ account, onClose, onDone }: AccountDialogProps) {
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const lock = useMutation({ mutationFn: () => lockAccount(account.id, reason.trim()), onSuccess: onDone });
  const error = reasonError(reason);
  return (
    <ActionDialog
      title={t`Lock ${{ email: account.email }}?`}
      text={t`All its sessions end at once, and nobody can log in until it is unlocked. Guests still reach its events.`}
      action={t`Lock account`}
      danger
      busy={lock.isPending}
      failure={lock.isError ? errorMessage(lock.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true);
        if (error === undefined) lock.mutate();
      }}
    >
      <TextField
        label={t`Reason`}
        helperText={t`Administrators see it; the account’s owner does not.`}
        error={asked ? error : undefined}
        autoFocus
        value={reason}
        inputProps={{ maxLength: maxReasonLength }}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  );
}
