import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Icon } from '../../shared/components/Icon';
import { EditEventButton } from '../../shared/events/editing/EditEventButton';
import { eventScreenAddress } from '../../shared/events/eventScreens';

/** What can be done with the event of a gallery; contributors have its trash and the upload. */
export function GalleryActions({
  eventId,
  managed,
  onQrCode,
}: {
  eventId: string;
  managed: boolean;
  onQrCode: () => void;
}) {
  return (
    <>
      {managed && (
        <Button
          component={Link}
          to={eventScreenAddress('/admin/people', eventId)}
          variant="outlined"
          startIcon={<Icon name="user" />}
        >
          {t`People`}
        </Button>
      )}
      <Button
        component={Link}
        to={eventScreenAddress('/admin/trash', eventId)}
        variant="outlined"
        startIcon={<Icon name="trash" />}
      >
        {t`Trash`}
      </Button>
      {managed && (
        <>
          <EditEventButton id={eventId} />
          <Button variant="outlined" startIcon={<Icon name="qr" />} onClick={onQrCode}>
            {t`QR Code`}
          </Button>
        </>
      )}
      <Button
        component={Link}
        to={eventScreenAddress('/admin/upload', eventId)}
        variant="contained"
        color="primary"
        startIcon={<Icon name="upload" />}
      >
        {t`Upload Photos`}
      </Button>
    </>
  );
}
