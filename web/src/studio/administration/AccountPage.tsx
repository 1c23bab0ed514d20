import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { formatRupees } from '../../platform/amounts';
import { Icon } from '../../ui/Icon';
import { Page, PageHeader } from '../../ui/Page';
import { formatCount } from '../../platform/formats';
import { AccountActions } from './AccountActions';
import { AccountChips } from './AccountChips';
import { accountFailedText, accountQuery } from './administration';
import { Facts, Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import { LoadFailed } from '../../ui/ScreenState';
import { administrationPath } from './sections';
import { sizeText } from './sizes';
import type { Account } from './types';

function Glance({ account }: { account: Account }) {
  return (
    <Panel title={t`At a glance`}>
      <Facts
        facts={[
          { label: t`Credits`, value: formatRupees(account.credits) },
          { label: t`Events`, value: formatCount(account.events) },
          { label: t`Photos`, value: formatCount(account.photos) },
          { label: t`Size`, value: sizeText(account.bytes) },
          { label: t`Registered`, value: <RelativeTime time={account.created_at} /> },
          {
            label: t`Last login`,
            value: account.last_login_at == null ? '–' : <RelativeTime time={account.last_login_at} />,
          },
        ]}
      />
    </Panel>
  );
}

/** One account: what it is, and what can be done with it. */
export default function AccountPage() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery(id));
  const { data } = account;
  const title =
    data === undefined ? t({ context: 'of the service', message: 'Account' }) : data.name || data.email;
  return (
    <Page>
      <Button
        component={Link}
        to={`${administrationPath}/accounts`}
        size="small"
        startIcon={<Icon name="arrowLeft" size={16} />}
        sx={{ ml: '-12px', mb: 2 }}
      >
        {t`All accounts`}
      </Button>
      <PageHeader
        title={title}
        {...(data !== undefined && { subtitle: data.email, titleAdornment: <AccountChips account={data} /> })}
      />
      {account.isError && (
        <LoadFailed
          error={account.error}
          fallback={accountFailedText()}
          asking={account.isFetching}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.isPending && (
        <Box role="status" aria-busy="true" aria-label={t`Loading the account`}>
          <Skeleton height={280} sx={{ borderRadius: '16px' }} />
        </Box>
      )}
      {data !== undefined && (
        <Box
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 3fr)' },
            alignItems: 'start',
            gap: 4,
          }}
        >
          <Glance account={data} />
          <AccountActions account={data} />
        </Box>
      )}
    </Page>
  );
}
