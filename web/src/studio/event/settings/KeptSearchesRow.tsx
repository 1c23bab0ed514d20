import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, unwrapResponse } from '../../../platform/api/client';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { SettingRow } from '../../../ui/SettingRow';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { useSnackbar } from '../../../ui/useSnackbar';

const failedText = () => t`This did not work. Please try again.`;

/** What guests' devices keep, and how all of it is revoked. */
export function KeptSearchesRow() {
  const { id } = useWorkspaceEvent();
  const show = useSnackbar();
  const [asked, setAsked] = useState(false);
  const [titleId, buttonId] = [useId(), useId()];
  const revoking = useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.DELETE('/api/events/{event}/kept-searches', { params: { path: { event: id } } }),
        failedText(),
      ),
    onSuccess: () => {
      setAsked(false);
      show({ tone: 'success', text: t`Guests take a new selfie the next time they come.` });
    },
  });
  return (
    <SettingRow
      title={t`Photos kept on guests’ phones`}
      titleId={titleId}
      hint={t`Guests who agreed come back without another selfie`}
    >
      <Button
        id={buttonId}
        aria-labelledby={`${buttonId} ${titleId}`}
        aria-haspopup="dialog"
        onClick={() => setAsked(true)}
      >
        {t`Revoke all`}
      </Button>
      {asked && (
        <ActionDialog
          title={t`Revoke what guests’ phones keep?`}
          text={t`Every guest takes a new selfie the next time they come. Nothing else changes, and new selfies can be kept again.`}
          action={t`Revoke all`}
          danger
          busy={revoking.isPending}
          failure={revoking.isError ? errorMessage(revoking.error, failedText()) : null}
          onClose={() => setAsked(false)}
          onSubmit={() => revoking.mutate()}
        />
      )}
    </SettingRow>
  );
}
