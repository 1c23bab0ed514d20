import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatRupees } from '../../platform/amounts';
import { errorMessage } from '../../platform/api/errors';
import { useSnackbar } from '../../ui/useSnackbar';
import { useSession } from '../../platform/session/session';
import { ActionDialog } from '../../ui/ActionDialog';
import { ActionRow } from '../../ui/ActionRow';
import { accountKey, administrationKey } from './administration';
import { changeFailedText, unlockAccount, verifyAccount } from './changes';
import { CreditsDialog } from './CreditsDialog';
import { LockDialog } from './LockDialog';
import { Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import type { Account, AccountDialogProps } from './types';

function VerifyDialog({ account, onClose, onDone }: AccountDialogProps) {
  const verify = useMutation({ mutationFn: () => verifyAccount(account.id), onSuccess: onDone });
  return (
    <ActionDialog
      title={t`Verify ${{ email: account.email }}?`}
      text={t`Whoever registered can log in then without having opened the mail. Be sure that the address is theirs; this cannot be undone.`}
      action={t`Verify address`}
      busy={verify.isPending}
      failure={verify.isError ? errorMessage(verify.error, changeFailedText()) : null}
      onClose={onClose}
      onSubmit={() => verify.mutate()}
    />
  );
}

/** What an administrator can do with an account. */
export function AccountActions({ account }: { account: Account }) {
  const { user } = useSession();
  const show = useSnackbar();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'verify' | 'lock' | 'credits'>();
  const close = () => setDialog(undefined);
  const done = (changed: Account, text: string) => {
    client.setQueryData(accountKey(changed.id), changed);
    void client.invalidateQueries({ queryKey: [...administrationKey, 'accounts'] });
    void client.invalidateQueries({ queryKey: [...administrationKey, 'overview'] });
    close();
    show({ tone: 'success', text });
  };
  const unlock = useMutation({
    mutationFn: () => unlockAccount(account.id),
    onSuccess: (changed) => done(changed, t`${{ email: account.email }} is unlocked.`),
    onError: (error) => show({ tone: 'error', text: errorMessage(error, changeFailedText()) }),
  });
  const { locked, email } = account;
  const own = user?.id === account.id || user?.email === email;
  return (
    <>
      <Panel title={t`What can be done`}>
        <ActionRow
          title={t`Address`}
          text={account.verified ? t`Verified.` : t`Not verified: nobody can log in yet.`}
        >
          {!account.verified && (
            <Button variant="outlined" onClick={() => setDialog('verify')}>
              {t`Verify address`}
            </Button>
          )}
        </ActionRow>
        <ActionRow title={t`Credits`} text={t`Give or take some, with a reason that the owner reads.`}>
          <Button variant="outlined" onClick={() => setDialog('credits')}>
            {t`Change credits`}
          </Button>
        </ActionRow>
        <ActionRow
          title={t`Access`}
          text={
            locked != null ? (
              <>
                {t`Locked:`} {locked.reason} (<RelativeTime time={locked.at} />)
              </>
            ) : own ? (
              t`This is your own account, which you cannot lock.`
            ) : (
              t`A locked account has no sessions, and nobody can log in. Guests still reach its events.`
            )
          }
        >
          {locked != null ? (
            <Button variant="outlined" loading={unlock.isPending} onClick={() => unlock.mutate()}>
              {t`Unlock account`}
            </Button>
          ) : (
            !own && (
              <Button variant="outlined" color="error" onClick={() => setDialog('lock')}>
                {t`Lock account`}
              </Button>
            )
          )}
        </ActionRow>
      </Panel>
      {dialog === 'verify' && (
        <VerifyDialog
          account={account}
          onClose={close}
          onDone={(changed) => done(changed, t`${{ email }} is verified.`)}
        />
      )}
      {dialog === 'lock' && (
        <LockDialog
          account={account}
          onClose={close}
          onDone={(changed) => done(changed, t`${{ email }} is locked.`)}
        />
      )}
      {dialog === 'credits' && (
        <CreditsDialog
          account={account}
          onClose={close}
          onUnclear={() => void client.invalidateQueries({ queryKey: accountKey(account.id) })}
          onDone={({ account: changed, rupees }) =>
            done(
              changed,
              rupees < 0
                ? t`${{ amount: formatRupees(-rupees) }} taken. The balance is ${{ balance: formatRupees(changed.credits) }}.`
                : t`${{ amount: formatRupees(rupees) }} given. The balance is ${{ balance: formatRupees(changed.credits) }}.`,
            )
          }
        />
      )}
    </>
  );
}
