import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatRupees } from '../../platform/amounts';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Page, PageHeader } from '../../ui/Page';
import { paymentsFailedText, paymentsQuery } from './administration';
import { InvoiceRegister } from './InvoiceRegister';
import { Panel } from '../../ui/Panel';
import { RefundDialog } from './RefundDialog';
import { RelativeTime } from '../../ui/RelativeTime';
import { LoadFailed, LoadingRows } from '../../ui/ScreenState';
import { accountAddress } from './sections';
import type { DueRefund, FailedOrder, Owner } from './types';

/** The names of firms, but for the one that is none. */
const providers = (): Record<string, { name: string }> => ({
  razorpay: { name: 'Razorpay' },
  sandbox: { name: t`Test mode` },
});

function OwnerLink({ account }: { account: Owner | null | undefined }) {
  if (account == null) return t`Closed account`;
  return (
    <MuiLink component={Link} to={accountAddress(account.id)} sx={{ fontWeight: 500 }}>
      {account.email}
    </MuiLink>
  );
}

/** What names a payment, and at which provider. */
function Reference({ id, provider }: { id: string; provider: string }) {
  return (
    <>
      {id}
      <Typography variant="body2" component="div" color="textSecondary">
        {providers()[provider]?.name ?? provider}
      </Typography>
    </>
  );
}

const refundColumns = (ask: (refund: DueRefund) => void): Column<DueRefund>[] => [
  {
    header: t`Payment`,
    cell: ({ payment_id, provider }) => <Reference id={payment_id} provider={provider} />,
  },
  {
    header: t({ context: 'of the service', message: 'Account' }),
    wide: true,
    cell: ({ account }) => <OwnerLink account={account} />,
  },
  { header: t`Why`, wide: true, cell: ({ reason }) => <span lang="en">{reason}</span> },
  { header: t`Paid`, end: true, cell: ({ paid_at }) => <RelativeTime time={paid_at} /> },
  { header: t`Amount`, end: true, cell: ({ amount }) => formatRupees(amount) },
  {
    header: t`Action`,
    end: true,
    quiet: true,
    cell: (refund) => (
      <Button
        size="small"
        variant="outlined"
        aria-label={t`Refund payment ${{ id: refund.payment_id }}`}
        onClick={() => ask(refund)}
      >
        {t({ context: 'verb', message: 'Refund' })}
      </Button>
    ),
  },
];

const orderColumns = (): Column<FailedOrder>[] => [
  {
    header: t`Order`,
    cell: ({ order_id, provider_order_id, provider }) => (
      <Reference id={provider_order_id ?? order_id} provider={provider} />
    ),
  },
  {
    header: t({ context: 'of the service', message: 'Account' }),
    wide: true,
    cell: ({ account }) => <OwnerLink account={account} />,
  },
  {
    header: t`Why`,
    wide: true,
    empty: ({ reason }) => reason == null,
    cell: ({ reason }) => (reason == null ? '–' : <span lang="en">{reason}</span>),
  },
  {
    header: t({ context: 'jobs', message: 'Failed' }),
    end: true,
    cell: ({ failed_at }) => <RelativeTime time={failed_at} />,
  },
  { header: t`Amount`, end: true, cell: ({ amount }) => formatRupees(amount) },
];

/** Payments that bought nothing, and orders that failed at the provider. */
export default function RefundsPage() {
  const payments = useQuery(paymentsQuery());
  const [asked, setAsked] = useState<DueRefund>();
  const { data } = payments;
  return (
    <Page>
      <PageHeader title={t`Refunds`} subtitle={t`Payments that bought nothing, and orders that failed.`} />
      {payments.isError && (
        <LoadFailed
          error={payments.error}
          fallback={paymentsFailedText()}
          asking={payments.isFetching}
          onRetry={() => void payments.refetch()}
        />
      )}
      {(payments.isPending || data !== undefined) && (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
          <Panel title={t`To refund`}>
            {data === undefined && <LoadingRows label={t`Loading the payments`} rows={3} />}
            {data?.refunds_due.length === 0 && (
              <EmptyState
                title={t`Nothing to refund`}
                description={t`Payments that bought nothing would stand here.`}
              />
            )}
            {data !== undefined && data.refunds_due.length > 0 && (
              <DataTable
                label={t`To refund`}
                columns={refundColumns(setAsked)}
                rows={data.refunds_due}
                rowKey={({ payment_id }) => payment_id}
              />
            )}
          </Panel>
          {data !== undefined && (
            <Panel
              title={t`Failed orders`}
              note={t`Orders that the provider does not know, or over another amount. No money has come for them.`}
            >
              {data.failed_orders.length === 0 ? (
                <Typography color="textSecondary">{t`None.`}</Typography>
              ) : (
                <DataTable
                  label={t`Failed orders`}
                  columns={orderColumns()}
                  rows={data.failed_orders}
                  rowKey={({ order_id }) => order_id}
                />
              )}
            </Panel>
          )}
          {data?.makes_invoices === true && <InvoiceRegister />}
        </Box>
      )}
      {asked !== undefined && <RefundDialog refund={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}
