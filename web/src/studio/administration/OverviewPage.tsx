import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { formatRupees } from '../../platform/amounts';
import { Icon } from '../../ui/Icon';
import { Page, PageHeader } from '../../ui/Page';
import { formatCount } from '../../platform/formats';
import { overviewFailedText, overviewQuery } from './administration';
import { Attention } from './Attention';
import { Facts, Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import { LoadFailed } from '../../ui/ScreenState';
import { sizeText } from './sizes';
import type { Overview } from './types';

function Figure({ label, figure, caption }: { label: string; figure: string; caption: string }) {
  return (
    <Card component="section" aria-label={label} sx={{ p: { xs: 4, md: '18px 22px' } }}>
      <Typography variant="body2" color="textSecondary" sx={{ fontWeight: 500 }}>
        {label}
      </Typography>
      <Typography variant="figure" component="p" sx={{ fontSize: { xs: 28, md: 34 }, mt: 3, mb: 2 }}>
        {figure}
      </Typography>
      <Typography variant="caption" component="p" color="textDisabled">
        {caption}
      </Typography>
    </Card>
  );
}

const figures = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
  gap: 4,
};

function Figures({ accounts, events, photos, storage }: Overview) {
  const { open, verified, administrators, locked } = accounts;
  const more = [
    plural(administrators, { one: '# administrator', other: '# administrators' }),
    ...(open > verified ? [t`${{ count: formatCount(open - verified) }} not verified`] : []),
    ...(locked > 0 ? [t`${{ count: formatCount(locked) }} locked`] : []),
  ];
  const perEvent = events === 0 ? 0 : Math.round(photos / events);
  return (
    <Box sx={figures}>
      <Figure
        label={t({ context: 'of the service', message: 'Accounts' })}
        figure={formatCount(open)}
        caption={more.join(' · ')}
      />
      <Figure label={t`Events`} figure={formatCount(events)} caption={t`of all photographers`} />
      <Figure
        label={t`Photos`}
        figure={formatCount(photos)}
        caption={plural(perEvent, { one: '# for each event', other: '# for each event' })}
      />
      <Figure
        label={t`Originals`}
        figure={sizeText(storage.originals_bytes)}
        caption={
          photos === 0
            ? t`no photos`
            : t`${{ size: sizeText(Math.round(storage.originals_bytes / photos)) }} for each photo`
        }
      />
    </Box>
  );
}

function keptLongerText({ photos, days, bytes }: NonNullable<Overview['storage']['kept_longer']>): string {
  const period = plural(days, { one: '# day', other: '# days' });
  const size = sizeText(bytes);
  return plural(photos, {
    one: `Events keep # photo past ${period}: ${size}`,
    other: `Events keep # photos past ${period}: ${size}`,
  });
}

function Storage({ storage }: Pick<Overview, 'storage'>) {
  const { originals_bytes, renditions_bytes, database_bytes, free_bytes, media, kept_longer } = storage;
  return (
    <Panel title={t`Storage`}>
      <Facts
        facts={[
          { label: t`Originals`, value: sizeText(originals_bytes) },
          ...(renditions_bytes == null
            ? []
            : [{ label: t`Thumbnails and previews`, value: sizeText(renditions_bytes) }]),
          { label: t`Database`, value: sizeText(database_bytes) },
          ...(free_bytes == null ? [] : [{ label: t`Free on the disk`, value: sizeText(free_bytes) }]),
          { label: t`Kept in`, value: media },
        ]}
      />
      {kept_longer != null && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {keptLongerText(kept_longer)}
        </Typography>
      )}
    </Panel>
  );
}

function Ledger({ ledger }: Pick<Overview, 'ledger'>) {
  const minus = (rupees: number) => formatRupees(rupees === 0 ? 0 : -rupees);
  return (
    <Panel title={t`Ledger of credits`}>
      <Facts
        facts={[
          { label: t`Bought`, value: formatRupees(ledger.bought) },
          { label: t`Given`, value: formatRupees(ledger.granted) },
          { label: t`Taken back`, value: minus(ledger.taken) },
          { label: t`Charged for photos`, value: minus(ledger.charged) },
          { label: t`Refunded`, value: minus(ledger.returned) },
          { label: t`Left`, value: formatRupees(ledger.balance), total: true },
          { label: t`Balances of all accounts`, value: formatRupees(ledger.balances) },
        ]}
      />
      <Typography
        variant="body2"
        sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: 3, fontWeight: 600 }}
        color={ledger.agrees ? 'success' : 'error'}
      >
        <Icon name={ledger.agrees ? 'check' : 'alert'} size={16} />
        {ledger.agrees ? t`Ledger and balances agree` : t`Ledger and balances differ`}
      </Typography>
    </Panel>
  );
}

// Names, which are the same in every language.
const engines: Record<string, { name: string }> = {
  sqlite: { name: 'SQLite' },
  postgres: { name: 'PostgreSQL' },
};

function Installation({ version, schema, engine, counted_at }: Overview) {
  return (
    <Panel title={t`Installation`}>
      <Facts
        facts={[
          { label: t`Version`, value: version },
          { label: t`Database`, value: engines[engine]?.name ?? engine },
          { label: t`Schema`, value: formatCount(schema) },
          { label: t`Counted`, value: <RelativeTime time={counted_at} /> },
        ]}
      />
    </Panel>
  );
}

function Loading() {
  return (
    <Box role="status" aria-busy="true" aria-label={t`Loading the overview`} sx={{ display: 'grid', gap: 4 }}>
      <Skeleton height={96} sx={{ borderRadius: '16px' }} />
      <Box sx={figures}>
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} height={136} sx={{ borderRadius: '16px' }} />
        ))}
      </Box>
      <Skeleton height={300} sx={{ borderRadius: '16px' }} />
    </Box>
  );
}

/** How the service is: what needs attention, how much there is, and whether the ledger is right. */
export default function OverviewPage() {
  const overview = useQuery(overviewQuery());
  const { data } = overview;
  return (
    <Page>
      <PageHeader title={t`Administration`} />
      {overview.isError && (
        <LoadFailed
          error={overview.error}
          fallback={overviewFailedText()}
          asking={overview.isFetching}
          onRetry={() => void overview.refetch()}
        />
      )}
      {overview.isPending && <Loading />}
      {data !== undefined && (
        <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
          <Attention warnings={data.warnings} ledger={data.ledger} />
          <Figures {...data} />
          <Box
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
              alignItems: 'start',
              gap: 4,
            }}
          >
            <Ledger ledger={data.ledger} />
            <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
              <Storage storage={data.storage} />
              <Installation {...data} />
            </Box>
          </Box>
        </Box>
      )}
    </Page>
  );
}
