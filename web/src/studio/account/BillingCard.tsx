import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Billing, BillingAnswer } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { Choice } from '../../ui/Choice';
import { TextField } from '../../ui/TextField';
import { type BillingForm, billingQuery, saveBilling } from './billing';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

const empty: BillingForm = { name: '', address: '', state: '', gstin: '' };

function Form({
  billing,
  states,
  onSaved,
}: {
  billing: Billing | null;
  states: BillingAnswer['states'];
  onSaved: (answer: BillingAnswer) => void;
}) {
  const [form, setForm] = useState<BillingForm>({ ...empty, ...billing });
  const save = useMutation({ mutationFn: saveBilling, onSuccess: onSaved });
  const set = (field: keyof BillingForm) => (value: string) => setForm({ ...form, [field]: value });
  const bind = (field: keyof BillingForm) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) => set(field)(event.target.value),
  });
  return (
    <SettingForm onSubmit={() => save.mutate(form)}>
      {save.isError && (
        <Alert tone="error">
          {errorMessage(save.error, t`The billing details could not be saved. Please try again.`)}
        </Alert>
      )}
      <TextField
        label={t`Name of the person or company`}
        helperText={t`In Latin letters. Without one, the name of your account is on the invoices.`}
        autoFocus
        autoComplete="organization"
        slotProps={{ input: { maxLength: 200 } }}
        {...bind('name')}
      />
      <TextField
        label={t`Billing address`}
        multiline
        minRows={2}
        autoComplete="street-address"
        slotProps={{ input: { maxLength: 500 } }}
        {...bind('address')}
      />
      <Choice
        label={t`State or union territory`}
        help={t`It decides which taxes are on the invoices. The GSTIN has one of its own.`}
        value={form.state}
        onChange={set('state')}
      >
        <option value="">{t`Not given`}</option>
        {states.map(({ code, name }) => (
          <option key={code} value={code} lang="en">
            {name}
          </option>
        ))}
      </Choice>
      <TextField
        label={t`GSTIN`}
        helperText={t`If you are registered for the tax. It needs the name and the address too.`}
        autoComplete="off"
        {...bind('gstin')}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button type="submit" variant="contained" disabled={save.isPending} loading={save.isPending}>
          {t`Save billing details`}
        </Button>
        {billing !== null && (
          <Button color="error" disabled={save.isPending} onClick={() => save.mutate(empty)}>
            {t`Remove billing details`}
          </Button>
        )}
      </Box>
    </SettingForm>
  );
}

/** Who is named as the buyer on invoices; nothing where the installation makes none. */
export function BillingCard() {
  const client = useQueryClient();
  const query = billingQuery();
  const loaded = useQuery(query);
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useSavedMessage();
  if (loaded.isPending) return null;
  const billing = loaded.data?.billing ?? null;
  // Details from a time in which there were invoices can still be removed.
  if (loaded.data?.makes_invoices === false && billing === null) return null;
  const state = loaded.data?.states.find(({ code }) => code === billing?.state)?.name;
  const parts = [billing?.name, state, billing?.gstin].filter((part) => part !== undefined && part !== '');
  return (
    <SettingCard
      title={t`Billing details`}
      value={parts.length > 0 ? parts.join(', ') : undefined}
      note={
        loaded.isError ? (
          <Alert tone="error">{loaded.error.message}</Alert>
        ) : billing === null ? (
          t`Name, address, state and GSTIN on the invoices of your payments. You can leave all of it out.`
        ) : (
          t`On the invoices of payments to come. Those that there are stay as they are.`
        )
      }
      toggleLabel={billing === null ? t`Add billing details` : t`Edit billing details`}
      editing={editing && loaded.isSuccess}
      saved={saved}
      onToggle={() => {
        setEditing(!editing);
        if (loaded.isError) void loaded.refetch();
      }}
    >
      <Form
        billing={billing}
        states={loaded.data?.states ?? []}
        onSaved={(answer) => {
          client.setQueryData(query.queryKey, answer);
          setEditing(false);
          setSaved(answer.billing == null ? t`Billing details removed.` : t`Billing details saved.`);
        }}
      />
    </SettingCard>
  );
}
