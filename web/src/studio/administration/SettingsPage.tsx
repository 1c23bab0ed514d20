import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Page, PageHeader } from '../../ui/Page';
import { settingsFailedText, settingsQuery } from './administration';
import { FindField } from './FindField';
import { LoadFailed, LoadingRows } from '../../ui/ScreenState';
import { StateChip } from '../../ui/StateChip';
import type { Setting } from './types';
import { oneOf, useFilter } from './useFilter';

const code = { fontSize: 13, fontFamily: 'ui-monospace, monospace', overflowWrap: 'anywhere' } as const;

const columns = (): Column<Setting>[] => [
  {
    header: t`Setting`,
    cell: ({ name, meaning }) => (
      <>
        <Box component="code" sx={code}>
          {name}
        </Box>
        {/* As the binary says it. */}
        <Typography variant="body2" component="div" color="textSecondary" lang="en">
          {meaning}
        </Typography>
      </>
    ),
  },
  {
    header: t`In force`,
    wide: true,
    cell: ({ value, changed }) => (
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box component="code" sx={{ ...code, color: 'text.primary', fontWeight: changed ? 600 : 400 }}>
          {value === '' ? '–' : value}
        </Box>
        {changed && <StateChip tone="success" label={t({ context: 'setting', message: 'Changed' })} />}
      </Box>
    ),
  },
  {
    header: t`Default`,
    wide: true,
    // It is what is in force.
    empty: ({ changed }) => !changed,
    cell: (setting) => (
      <Box component="code" sx={code}>
        {setting.default === '' ? '–' : setting.default}
      </Box>
    ),
  },
];

const fits =
  (text: string) =>
  ({ name, variable, meaning, value }: Setting): boolean =>
    [name, variable, meaning, value].some((part) => part.toLowerCase().includes(text.toLowerCase()));

/** Every setting as the service was started with it. */
export default function SettingsPage() {
  const [text, setText] = useFilter('find');
  const [shown, setShown] = useFilter('show');
  const which = oneOf(shown, ['all', 'changed']);
  const query = useQuery(settingsQuery());
  const settings = query.data?.settings
    .filter(fits(text))
    .filter(({ changed }) => changed || which === 'all');
  const found = settings?.length ?? 0;
  return (
    <Page>
      <PageHeader
        title={t`Settings in force`}
        subtitle={t`As the service was started. They are changed in afterglow.toml or in the environment, and hold after a restart.`}
      />
      <Box
        role="search"
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 3, mb: 4 }}
      >
        <FindField
          label={t`Find settings`}
          placeholder={t`Name, value or meaning`}
          value={text}
          onFind={setText}
        />
        <ToggleButtonGroup
          exclusive
          aria-label={t`Which settings`}
          value={which}
          onChange={(_, chosen: string | null) => setShown(chosen === 'changed' ? 'changed' : '')}
        >
          <ToggleButton value="all">{t`All`}</ToggleButton>
          <ToggleButton value="changed">{t({ context: 'setting', message: 'Changed' })}</ToggleButton>
        </ToggleButtonGroup>
        <Typography variant="body2" color="textSecondary" role="status">
          {settings === undefined ? '' : plural(found, { one: '# setting', other: '# settings' })}
        </Typography>
      </Box>
      {query.isError && (
        <LoadFailed
          error={query.error}
          fallback={settingsFailedText()}
          asking={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {(query.isPending || settings !== undefined) && (
        <Card sx={{ px: { xs: 4, md: 6 }, py: { xs: 2, md: 4 } }}>
          {query.isPending && <LoadingRows label={t`Loading the settings`} rows={10} />}
          {settings?.length === 0 && (
            <EmptyState
              title={t`No setting found`}
              description={
                which === 'changed' && text === ''
                  ? t`All of them have their defaults.`
                  : t`Look for another word, or at all settings.`
              }
            />
          )}
          {settings !== undefined && settings.length > 0 && (
            <DataTable
              label={t`Settings in force`}
              columns={columns()}
              rows={settings}
              rowKey={({ name }) => name}
            />
          )}
        </Card>
      )}
    </Page>
  );
}
