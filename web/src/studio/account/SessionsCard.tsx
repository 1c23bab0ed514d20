import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { Alert } from '../../ui/Alert';
import { endOtherSessions, endSession, sessionsQuery } from './account';
import { ListRow } from './ListRow';

type Session = components['schemas']['SessionBody'];

const formatMoment = (at: string) => i18n.date(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });

/** What a session runs on, as far as its browser has told. */
function deviceName({ browser, system }: Session): string {
  if (browser != null && system != null) return t`${browser} on ${system}`;
  return browser ?? system ?? t`Unknown device`;
}

/** Where the account is logged in, each session with a button that ends it. */
export function SessionsCard() {
  const titleId = useId();
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery());
  const refresh = () => queries.invalidateQueries({ queryKey: sessionsQuery().queryKey });
  // What could not be ended may have ended by itself: the list is read again in any case.
  const end = useMutation({ mutationFn: endSession, onSettled: refresh });
  const endOthers = useMutation({ mutationFn: endOtherSessions, onSettled: refresh });
  const listed = sessions.data?.sessions ?? [];
  const failure = end.error ?? endOthers.error ?? sessions.error;
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
        <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
          {t`Where you are logged in`}
        </Typography>
        {listed.length > 1 && (
          <Button variant="outlined" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t`End all others`}
          </Button>
        )}
      </Box>
      {failure !== null && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(failure, t`The sessions could not be loaded.`)}</Alert>
        </Box>
      )}
      {sessions.isPending && (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 4 }}>
          {t`Loading...`}
        </Typography>
      )}
      <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {listed.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            ending={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </Box>
    </Card>
  );
}

function SessionRow({ session, ending, onEnd }: { session: Session; ending: boolean; onEnd: () => void }) {
  const lastUse = formatMoment(session.last_used_at);
  return (
    <ListRow
      name={deviceName(session)}
      action={session.current ? null : { label: t`End`, loading: ending, onClick: onEnd }}
    >
      <Typography variant="body2" color="textSecondary">
        {session.current ? t`This device` : t`Last used ${{ time: lastUse }}`}
      </Typography>
      {session.second_factor_at != null && (
        <Typography variant="body2" color="textSecondary">
          {t`Second step of the login ${{ time: formatMoment(session.second_factor_at) }}`}
        </Typography>
      )}
    </ListRow>
  );
}
