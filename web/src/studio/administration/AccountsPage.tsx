import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { formatRupees } from '../../platform/amounts';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Page, PageHeader } from '../../ui/Page';
import { useFocusLoaded } from '../../ui/useFocusLoaded';
import { formatCount } from '../../platform/formats';
import { AccountChips } from './AccountChips';
import { accountsFailedText, accountsQuery } from './administration';
import { FindField } from './FindField';
import { RelativeTime } from '../../ui/RelativeTime';
import { LoadFailed, LoadingRows, ShowMore } from '../../ui/ScreenState';
import { accountAddress } from './sections';
import { sizeText } from './sizes';
import type { Account } from './types';
import { useFilter } from './useFilter';

const columns = (): Column<Account>[] => [
  {
    header: t({ context: 'of the service', message: 'Account' }),
    cell: ({ id, name, email }) => (
      <>
        <MuiLink component={Link} to={accountAddress(id)}>
          {name === '' ? email : name}
        </MuiLink>
        {name !== '' && (
          <Typography variant="body2" component="div" color="textSecondary">
            {email}
          </Typography>
        )}
      </>
    ),
  },
  {
    header: t`State`,
    quiet: true,
    empty: (account) =>
      account.verified && !account.administrator && !account.premium && account.locked == null,
    cell: (account) => <AccountChips account={account} />,
  },
  { header: t`Credits`, end: true, cell: ({ credits }) => formatRupees(credits) },
  { header: t`Events`, end: true, cell: ({ events }) => formatCount(events) },
  { header: t`Photos`, end: true, cell: ({ photos }) => formatCount(photos) },
  { header: t`Size`, end: true, cell: ({ bytes }) => sizeText(bytes) },
  { header: t`Registered`, end: true, cell: ({ created_at }) => <RelativeTime time={created_at} /> },
  {
    header: t`Last login`,
    end: true,
    cell: ({ last_login_at }) => (last_login_at == null ? '–' : <RelativeTime time={last_login_at} />),
  },
];

function foundText(found: number, hasMore: boolean): string {
  if (found === 0) {
    return hasMore ? t`None of the accounts looked at so far is called that.` : t`No account is called that.`;
  }
  return hasMore
    ? plural(found, { one: 'The newest account that fits', other: 'The newest # accounts that fit' })
    : plural(found, { one: '# account', other: '# accounts' });
}

/** All accounts, newest first, or those that are looked for. */
export default function AccountsPage() {
  const [query, setQuery] = useFilter('query');
  const pages = useInfiniteQuery(accountsQuery(query));
  const accounts = pages.data?.pages.flatMap((page) => page.accounts);
  const count = accounts?.length ?? 0;
  const list = useRef<HTMLTableSectionElement>(null);
  const focusLoaded = useFocusLoaded(list, count);
  return (
    <Page>
      <PageHeader
        title={t({ context: 'of the service', message: 'Accounts' })}
        subtitle={t`Everybody who has registered, newest first.`}
      />
      <Box
        role="search"
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2, mb: 4 }}
      >
        <FindField
          label={t`Find accounts by name or address`}
          placeholder={t`Name or address`}
          value={query}
          onFind={setQuery}
        />
        <Typography variant="body2" color="textSecondary" role="status">
          {query === '' || accounts === undefined || pages.isPlaceholderData
            ? ''
            : foundText(count, pages.hasNextPage)}
        </Typography>
      </Box>
      {pages.isError && (
        <LoadFailed
          error={pages.error}
          fallback={accountsFailedText()}
          asking={pages.isFetching}
          onRetry={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
        />
      )}
      {(pages.isPending || accounts !== undefined) && (
        <Card sx={{ px: { xs: 4, md: 6 }, py: { xs: 2, md: 4 } }}>
          {pages.isPending && <LoadingRows label={t`Loading the accounts`} />}
          {accounts !== undefined && count > 0 && (
            <DataTable
              label={t({ context: 'of the service', message: 'Accounts' })}
              columns={columns()}
              rows={accounts}
              rowKey={({ id }) => id}
              busy={pages.isPlaceholderData}
              list={list}
            />
          )}
          {accounts !== undefined && count === 0 && (
            <EmptyState
              title={t`No account found`}
              description={
                pages.hasNextPage
                  ? t`There are more accounts than one look goes through.`
                  : t`Part of a name or an address is enough.`
              }
            />
          )}
        </Card>
      )}
      {pages.hasNextPage && !pages.isPlaceholderData && (
        <ShowMore
          label={query === '' ? undefined : t`Look further`}
          loading={pages.isFetchingNextPage}
          onClick={() => {
            focusLoaded();
            void pages.fetchNextPage();
          }}
        />
      )}
    </Page>
  );
}
