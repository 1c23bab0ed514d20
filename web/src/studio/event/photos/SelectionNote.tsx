import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { api } from '../../../platform/api/client';
import { eventScreenAddress } from '../../shared/events/eventScreens';
import { clientSelectionsQuery } from '../../shared/notifications/clientSelections';

/** Whose choice the photos are that are shown, and what the client wrote at the end. Who looks at it has seen it. */
export function SelectionNote({
  eventId,
  id,
  commented,
  onCommented,
}: {
  eventId: string;
  id: string;
  /** The photos that the client has commented on are shown, chosen or not. */
  commented: boolean;
  onCommented: (commented: boolean) => void;
}) {
  const client = useQueryClient();
  const { data } = useQuery(clientSelectionsQuery(eventId));
  const selection = data?.find((each) => each.id === id);
  const isNew = selection?.is_new === true;
  useEffect(() => {
    if (!isNew) return;
    const see = async () => {
      const path = { event: eventId, selection: id };
      // It stays new where that fails.
      await api
        .POST('/api/events/{event}/selections/{selection}/seen', { params: { path } })
        .catch(() => null);
      await client.invalidateQueries({ queryKey: clientSelectionsQuery(eventId).queryKey });
    };
    void see();
  }, [client, eventId, id, isNew]);
  if (selection === undefined) return null;
  const { name, message, comments } = selection;
  const title = commented ? t`${name} has said something of these.` : t`${name} has chosen these.`;
  return (
    <Box
      component="section"
      aria-label={t`Selection`}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1, mb: 3 }}
    >
      <Box sx={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle1" component="h2">
          {title}
        </Typography>
        {message != null && (
          <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'pre-line' }}>
            {message}
          </Typography>
        )}
      </Box>
      {(comments > 0 || commented) && (
        <Button size="small" onClick={() => onCommented(!commented)}>
          {commented
            ? t`Show what is chosen`
            : plural(comments, { one: 'Show # comment', other: 'Show # comments' })}
        </Button>
      )}
      <Button size="small" component={Link} to={`${eventScreenAddress('/admin/guests', eventId)}#selections`}>
        {t`All selections`}
      </Button>
    </Box>
  );
}
