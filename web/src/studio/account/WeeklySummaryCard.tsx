import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { Alert } from '../../ui/Alert';
import { useSnackbar } from '../../ui/useSnackbar';
import { setWeeklySummary, weeklySummaryQuery } from './account';

/** Whether what is to be done comes by mail on Mondays. */
export function WeeklySummaryCard() {
  const client = useQueryClient();
  const show = useSnackbar();
  const titleId = useId();
  const query = weeklySummaryQuery();
  const setting = useQuery(query);
  const change = useMutation({
    mutationFn: setWeeklySummary,
    onSuccess: (saved) => client.setQueryData(query.queryKey, saved),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Typography variant="h3" component="h2" id={titleId}>
        {t`Weekly mail`}
      </Typography>
      {setting.isError ? (
        <Box sx={{ mt: 3 }}>
          <Alert tone="error">{setting.error.message}</Alert>
        </Box>
      ) : (
        <FormControlLabel
          sx={{ mt: 2 }}
          control={
            <Switch
              checked={change.isPending ? change.variables : (setting.data?.wanted ?? false)}
              disabled={setting.isPending || change.isPending}
              onChange={(_, wanted) => change.mutate(wanted)}
            />
          }
          label={t`On Mondays, mail me what my events need from me`}
        />
      )}
      <Typography color="text.secondary" sx={{ mt: 1 }}>
        {t`Who chose, who asks, what waits and what runs out. Without any of it there is no mail.`}
      </Typography>
    </Card>
  );
}
