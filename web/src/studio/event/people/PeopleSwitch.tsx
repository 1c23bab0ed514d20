import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Switch from '@mui/material/Switch';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { SettingRow } from '../../../ui/SettingRow';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { peopleQuery, switchPeople } from './people';
import { useChange } from './useChange';

/** Says who sees people, and deletes them on request. */
export function PeopleSwitch() {
  const event = useWorkspaceEvent();
  const [asking, setAsking] = useState(false);
  const [titleId, hintId] = [useId(), useId()];
  const { data, isLoadingError, isFetching, refetch } = useInfiniteQuery(peopleQuery(event.id, false));
  const enabled = data?.pages[0]?.enabled;
  const change = useChange<boolean>(event.id, {
    change: (wanted) => switchPeople(event.id, wanted),
    doneText: (wanted) => (wanted ? t`People are switched on.` : t`People are switched off.`),
    failedText: () => t`The setting could not be saved. Please try again.`,
    onDone: () => setAsking(false),
  });
  return (
    <>
      <SettingRow
        title={t`Put faces that are alike together`}
        hint={t`Faces that are alike are put together here for you alone: guests see nothing of it. It is deleted with the photos, or when you switch it off.`}
        titleId={titleId}
        hintId={hintId}
      >
        {isLoadingError ? (
          <Button loading={isFetching} onClick={() => void refetch()}>
            {t`Try again`}
          </Button>
        ) : (
          <Switch
            checked={change.isPending ? change.variables : enabled === true}
            disabled={enabled === undefined || change.isPending}
            slotProps={{ input: { 'aria-labelledby': titleId, 'aria-describedby': hintId } }}
            onChange={(_, wanted) => (wanted ? change.mutate(true) : setAsking(true))}
          />
        )}
      </SettingRow>
      {asking && (
        <ActionDialog
          title={t`Switch people off for this event?`}
          text={t`Who was put together, merged, split and hidden is deleted for good. The photos stay, and guests find theirs as before.`}
          action={t`Switch off`}
          danger
          busy={change.isPending}
          failure={
            change.isError
              ? errorMessage(change.error, t`The setting could not be saved. Please try again.`)
              : null
          }
          onClose={() => setAsking(false)}
          onSubmit={() => change.mutate(false)}
        />
      )}
    </>
  );
}
