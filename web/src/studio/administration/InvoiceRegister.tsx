import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { saveBlob } from '../../ui/saveFile';
import { TextField } from '../../ui/TextField';
import { useSnackbar } from '../../ui/useSnackbar';
import { fetchRegister } from './administration';
import { Panel } from '../../ui/Panel';

/** The month before this one, which is the one to be returned next: '2026-10'. */
function lastMonth(): string {
  const now = new Date();
  const month = new Date(now.getFullYear(), now.getMonth() - 1, 1);
  return `${String(month.getFullYear())}-${String(month.getMonth() + 1).padStart(2, '0')}`;
}

/** Saves the invoices and notes of a month. */
export function InvoiceRegister() {
  const show = useSnackbar();
  const [month, setMonth] = useState(lastMonth);
  const download = useMutation({
    mutationFn: fetchRegister,
    onSuccess: (file, asked) => saveBlob(file, `invoices-${asked}.csv`),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });
  return (
    <Panel
      title={t`Invoices`}
      note={t`The invoices, credit notes and debit notes of a month in India, as CSV.`}
    >
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          download.mutate(month);
        }}
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 3 }}
      >
        <TextField
          label={t`Month`}
          type="month"
          placeholder="2026-11"
          required
          value={month}
          onChange={(event) => setMonth(event.target.value)}
        />
        <Button type="submit" variant="outlined" disabled={month === ''} loading={download.isPending}>
          {t`Download register`}
        </Button>
      </Box>
    </Panel>
  );
}
