import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { type ReactNode, useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { ActionDialog } from '../../../ui/ActionDialog';
import { SettingRow } from '../../../ui/SettingRow';
import type { EventChanges } from '../../shared/events/editing/changeEvent';
import { useSaveSetting } from '../../shared/events/editing/useSaveSetting';

export interface FieldProps {
  label: string;
  value: string;
  error: string | undefined;
  autoFocus: true;
  onChange: (change: { target: { value: string } }) => void;
}

function FieldDialog({
  title,
  hint,
  value: before,
  check,
  change,
  children,
  onClose,
}: FieldRowProps & { onClose: () => void }) {
  const { change: saving, save } = useSaveSetting();
  const [value, setValue] = useState(before);
  const [error, setError] = useState<string>();
  const submit = () => {
    const entered = value.trim();
    const wrong = check?.(entered);
    setError(wrong);
    if (wrong !== undefined) return;
    if (entered === before) onClose();
    else save(change(entered), change(before), { onSuccess: onClose, onError: () => undefined });
  };
  return (
    <ActionDialog
      title={title}
      text={hint ?? ''}
      action={t`Save`}
      busy={saving.isPending}
      failure={
        saving.isError
          ? errorMessage(saving.error, t`The setting could not be saved. Please try again.`)
          : null
      }
      onClose={onClose}
      onSubmit={submit}
    >
      {children({
        label: title,
        value,
        error,
        autoFocus: true,
        onChange: ({ target }) => setValue(target.value),
      })}
    </ActionDialog>
  );
}

interface FieldRowProps {
  title: string;
  /** What is to be known while it is changed. */
  hint?: string;
  value: string;
  /** What is wrong with what was entered. */
  check?: (entered: string) => string | undefined;
  change: (entered: string) => EventChanges;
  /** Its field. */
  children: (field: FieldProps) => ReactNode;
}

/** A setting that is entered: it shows what it is, and opens its field. */
export function FieldRow({
  shown,
  disabled = false,
  ...field
}: FieldRowProps & {
  shown: ReactNode;
  /** It is not known yet. */
  disabled?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const [titleId, buttonId] = [useId(), useId()];
  return (
    <SettingRow title={field.title} titleId={titleId} hint={shown}>
      <Button
        id={buttonId}
        aria-labelledby={`${buttonId} ${titleId}`}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {t`Change`}
      </Button>
      {open && <FieldDialog {...field} onClose={() => setOpen(false)} />}
    </SettingRow>
  );
}
