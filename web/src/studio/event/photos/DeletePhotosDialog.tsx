import { plural, t } from '@lingui/core/macro';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';

/** Asks before photos are deleted. */
export function DeletePhotosDialog({
  count,
  busy,
  error,
  onCancel,
  onConfirm,
}: {
  count: number;
  busy: boolean;
  /** Why they could not be deleted; null before. */
  error: unknown;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  return (
    <ActionDialog
      title={plural(count, { one: 'Delete this photo?', other: 'Delete # photos?' })}
      text={plural(count, {
        one: 'It waits in the trash for 7 days, where guests never see it. Its credit does not come back.',
        other:
          'They wait in the trash for 7 days, where guests never see them. Their credits do not come back.',
      })}
      action={t`Delete`}
      danger
      busy={busy}
      failure={
        error === null ? null : errorMessage(error, t`The photos could not be deleted. Please try again.`)
      }
      onClose={onCancel}
      onSubmit={onConfirm}
    />
  );
}
