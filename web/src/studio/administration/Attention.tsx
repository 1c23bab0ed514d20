import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../ui/Icon';
import { jobsQuery, paymentsQuery } from './administration';
import { Panel } from '../../ui/Panel';
import { administrationPath } from './sections';
import type { Overview } from './types';

interface Matter {
  key: string;
  tone: 'warning' | 'error';
  text: ReactNode;
  /** Where something can be done about it. */
  to?: { address: string; label: string };
}

/** What somebody should do something about. */
export function Attention({ warnings, ledger }: Pick<Overview, 'warnings' | 'ledger'>) {
  const jobs = useQuery(jobsQuery());
  const payments = useQuery(paymentsQuery());
  const failedJobs = jobs.data?.kinds.reduce((sum, { failed }) => sum + failed, 0) ?? 0;
  const refunds = payments.data?.refunds_due.length ?? 0;

  const matters: Matter[] = warnings.map((text) => ({
    key: text,
    tone: 'warning',
    // The server's own words.
    text: <span lang="en">{text}</span>,
  }));
  if (!ledger.agrees) {
    matters.push({
      key: 'ledger',
      tone: 'error',
      text: t`The ledger and the balances of the accounts differ. Run afterglow check on the server.`,
    });
  }
  if (failedJobs > 0) {
    matters.push({
      key: 'jobs',
      tone: 'error',
      text: plural(failedJobs, { one: '# job has failed.', other: '# jobs have failed.' }),
      to: { address: `${administrationPath}/jobs`, label: t`See the jobs` },
    });
  }
  if (refunds > 0) {
    matters.push({
      key: 'refunds',
      tone: 'warning',
      text: plural(refunds, {
        one: '# payment bought nothing and waits to be refunded.',
        other: '# payments bought nothing and wait to be refunded.',
      }),
      to: { address: `${administrationPath}/refunds`, label: t`See the refunds` },
    });
  }
  const known = jobs.isSuccess && payments.isSuccess;

  return (
    <Panel title={t`Needs attention`}>
      {matters.length > 0 && (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {matters.map(({ key, tone, text, to }) => (
            <Box
              key={key}
              component="li"
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 3,
                minHeight: 48,
                py: 1.5,
                '& + &': { borderTop: 1, borderColor: 'divider' },
              }}
            >
              <Box component="span" sx={{ display: 'flex', color: `${tone}.main` }}>
                <Icon name="alert" />
              </Box>
              <Box
                sx={{
                  display: 'flex',
                  flex: 1,
                  flexWrap: 'wrap',
                  alignItems: 'center',
                  columnGap: 3,
                  rowGap: 1,
                }}
              >
                <Box component="span" sx={{ flex: '1 1 240px', minWidth: 0 }}>
                  {text}
                </Box>
                {to !== undefined && (
                  <Button component={Link} to={to.address} size="small" variant="outlined">
                    {to.label}
                  </Button>
                )}
              </Box>
            </Box>
          ))}
        </Box>
      )}
      {matters.length === 0 && known && (
        <Typography sx={{ display: 'flex', alignItems: 'center', gap: 2 }} color="textSecondary">
          <Box component="span" sx={{ display: 'flex', color: 'success.main' }}>
            <Icon name="check" />
          </Box>
          {t`Nothing needs attention.`}
        </Typography>
      )}
      {!known && (jobs.isError || payments.isError) && (
        <Typography role="alert" color="textSecondary" sx={{ mt: matters.length > 0 ? 2 : 0 }}>
          {t`Failed jobs and refunds could not be counted.`}
        </Typography>
      )}
      {!known && !jobs.isError && !payments.isError && matters.length === 0 && (
        <Typography role="status" color="textSecondary">
          {t`Loading...`}
        </Typography>
      )}
    </Panel>
  );
}
