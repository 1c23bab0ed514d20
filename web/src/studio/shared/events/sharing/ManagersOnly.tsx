import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { Link } from 'react-router';
import { EmptyState } from '../../../../ui/EmptyState';
import { eventScreenAddress } from '../eventScreens';

/** Stands where a contributor opens a screen of managers. */
export function ManagersOnly({ eventId }: { eventId: string }) {
  return (
    <Card>
      <EmptyState
        title={t`For the owner and managers`}
        description={t`In this event you upload photos, and see and delete your own.`}
      >
        <Button
          component={Link}
          to={eventScreenAddress('/admin/gallery', eventId)}
          variant="contained"
          color="primary"
        >
          {t`Go to your photos`}
        </Button>
      </EmptyState>
    </Card>
  );
}
