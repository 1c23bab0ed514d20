import { t } from '@lingui/core/macro';
import { errorMessage } from '../../../../platform/api/errors';
import type { Event } from '../../../../platform/api/types';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { useLeaveEvent } from './leaveEvent';

/** Asks a member whether they leave an event, and does it. */
export function LeaveEventDialog({
  event,
  onClose,
  onLeft = onClose,
}: {
  event: Pick<Event, 'id' | 'name'>;
  onClose: () => void;
  onLeft?: () => void;
}) {
  const leaving = useLeaveEvent(onLeft);
  return (
    <ActionDialog
      title={t`Leave ${{ name: event.name }}?`}
      text={t`Your photos stay in the event. You no longer see it, and cannot upload to it any more.`}
      action={t`Leave event`}
      danger
      busy={leaving.isPending}
      failure={
        leaving.isError
          ? errorMessage(leaving.error, t`You could not leave the event. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={() => leaving.mutate(event)}
    />
  );
}
