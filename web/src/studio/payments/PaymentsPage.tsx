import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { HistoryLine } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { EmptyState } from '../../ui/EmptyState';
import { Page, PageHeader } from '../../ui/Page';
import { saveBlob } from '../../ui/saveFile';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { useSnackbar } from '../../ui/useSnackbar';
import { formatDayOf } from '../../platform/shortDates';
import {
  creditsText,
  documentsOf,
  fetchHistoryFile,
  fetchInvoice,
  historyFailedText,
  historyQuery,
  type InvoiceDocument,
  noteOf,
  paidText,
  titleOf,
} from './history';
import { ReceiptDialog } from './ReceiptDialog';

function InvoiceButton({ file, title, day }: { file: InvoiceDocument; title: string; day: string }) {
  const show = useSnackbar();
  const download = useMutation({
    mutationFn: () => fetchInvoice(file),
    onSuccess: ({ blob, name }) => saveBlob(blob, name),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });
  const { label, name } = {
    invoice: { label: t`Invoice`, name: t`Invoice, ${title}, ${day}` },
    credit_note: { label: t`Credit note`, name: t`Credit note, ${title}, ${day}` },
    debit_note: { label: t`Debit note`, name: t`Debit note, ${title}, ${day}` },
  }[file.kind];
  return (
    <Button size="small" loading={download.isPending} aria-label={name} onClick={() => download.mutate()}>
      {label}
    </Button>
  );
}

/**
 * Only payments have a receipt; the line of a refund leads to that of its payment. Invoices and credit notes are there where the
 * installation makes them.
 */
function Row({ line, onReceipt }: { line: HistoryLine; onReceipt: (paymentId: string) => void }) {
  const { payment_id } = line;
  const title = titleOf(line);
  const note = noteOf(line);
  const credits = creditsText(line);
  const paid = paidText(line);
  const day = formatDayOf(line.date);
  return (
    <Box
      component="li"
      // The first of the lines that were loaded last takes the focus.
      tabIndex={-1}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '112px minmax(0, 1fr) auto 92px' },
        columnGap: 4,
        rowGap: 1,
        alignItems: 'baseline',
        py: 3,
        '& + &': { borderTop: 1, borderColor: 'divider' },
        outlineOffset: '4px',
      }}
    >
      <Typography
        component="time"
        dateTime={line.date}
        variant="body2"
        color="textSecondary"
        sx={{ gridColumn: { xs: '1', sm: '1' }, gridRow: { xs: '2', sm: '1' } }}
      >
        {day}
      </Typography>
      <Box sx={{ gridColumn: { xs: '1', sm: '2' }, gridRow: '1', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{title}</Typography>
        {note !== null && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {note}
          </Typography>
        )}
      </Box>
      <Box
        sx={{
          gridColumn: { xs: '2', sm: '3' },
          gridRow: '1',
          textAlign: 'right',
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'nowrap',
        }}
      >
        {credits !== null && (
          <Typography
            sx={{ fontWeight: 600, fontVariantNumeric: 'inherit' }}
            color={line.credits > 0 ? 'success' : 'textPrimary'}
          >
            {credits}
          </Typography>
        )}
        {paid !== null && (
          <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'inherit' }}>
            {paid}
          </Typography>
        )}
      </Box>
      <Box
        sx={{
          gridColumn: { xs: '2', sm: '4' },
          gridRow: { xs: '2', sm: '1' },
          justifySelf: 'end',
          display: 'grid',
          justifyItems: 'end',
          mr: -2,
        }}
      >
        {typeof payment_id === 'string' && (
          <Button
            size="small"
            aria-label={t`Receipt, ${title}, ${day}`}
            onClick={() => onReceipt(payment_id)}
          >
            {t`Receipt`}
          </Button>
        )}
        {documentsOf(line).map((file) => (
          <InvoiceButton key={file.number} file={file} title={title} day={day} />
        ))}
      </Box>
    </Box>
  );
}

function Loading() {
  return (
    <Box role="status" aria-label={t`Loading the payment history`} sx={{ display: 'grid', gap: 4, py: 3 }}>
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} height={28} />
      ))}
    </Box>
  );
}

/** Every recharge, charge and refund of the account, with receipts. */
export default function PaymentsPage() {
  const show = useSnackbar();
  const history = useInfiniteQuery(historyQuery());
  const [receipt, setReceipt] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const lines = history.data?.pages.flatMap((page) => page.history);
  const count = lines?.length ?? 0;
  const focusLoaded = useFocusLoaded(list, count);

  const downloadMutation = useMutation({
    mutationFn: fetchHistoryFile,
    onSuccess: (file) => saveBlob(file, 'afterglow-payments.csv'),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });

  return (
    <Page width={840}>
      <PageHeader title={t`Payments`} subtitle={t`Every recharge, charge and refund of your account.`}>
        <Button
          variant="outlined"
          loading={downloadMutation.isPending}
          disabled={count === 0}
          onClick={() => downloadMutation.mutate()}
        >
          {t`Download CSV`}
        </Button>
        <Button component={Link} to="/admin/overview#add-credits" variant="contained">
          {t`Add credits`}
        </Button>
      </PageHeader>
      {history.isError && (
        <Box sx={{ mb: 4 }}>
          <Alert tone="error">
            <span>{historyFailedText()}</span>
            <Button
              size="small"
              variant="outlined"
              sx={{ ml: 3 }}
              loading={history.isFetching}
              onClick={() => void (count > 0 ? history.fetchNextPage() : history.refetch())}
            >
              {t`Try again`}
            </Button>
          </Alert>
        </Box>
      )}
      {(history.isPending || lines !== undefined) && (
        <Card component="section" aria-label={t`Payment history`} sx={{ px: { xs: 4, md: 6 }, py: 3 }}>
          {history.isPending && <Loading />}
          {lines?.length === 0 && (
            <EmptyState
              title={t`Nothing here yet`}
              description={t`Recharges, charges for uploads and refunds will stand here.`}
            />
          )}
          {lines !== undefined && lines.length > 0 && (
            <Box component="ul" ref={list} sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {lines.map((line, number) => (
                // Lines have no id of their own, and only change as a whole.
                <Row key={number} line={line} onReceipt={setReceipt} />
              ))}
            </Box>
          )}
        </Card>
      )}
      {history.hasNextPage && (
        <Box sx={{ display: 'grid', justifyItems: 'center', mt: 5 }}>
          <Button
            variant="outlined"
            loading={history.isFetchingNextPage}
            onClick={() => {
              focusLoaded();
              void history.fetchNextPage();
            }}
          >
            {t({ context: 'lines of a list', message: 'Show more' })}
          </Button>
        </Box>
      )}
      {receipt !== undefined && <ReceiptDialog paymentId={receipt} onClose={() => setReceipt(undefined)} />}
    </Page>
  );
}
