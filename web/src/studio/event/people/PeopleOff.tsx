import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/EmptyState';
import { eventScreenAddress } from '../../shared/events/eventScreens';

/** Shown of an event whose faces are not put together. */
export function PeopleOff({ eventId }: { eventId: string }) {
  return (
    <Card>
      <EmptyState
        title={t`People are switched off`}
        description={t`The faces of this event are not put together.`}
      >
        <Button
          component={Link}
          to={`${eventScreenAddress('/admin/settings', eventId)}#keeping`}
          variant="outlined"
        >
          {t`Settings`}
        </Button>
      </EmptyState>
    </Card>
  );
}
