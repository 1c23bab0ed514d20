import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Event } from '../../shared/api/types';
import { Icon } from '../../shared/components/Icon';
import { CameraDialog } from './CameraDialog';

/** Opens what a camera needs to send photos to the event. */
export function CameraButton({ event }: { event: Event }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        color="ink"
        startIcon={<Icon name="camera" size={20} />}
        aria-label={t`Camera (FTP) of ${{ name: event.name }}`}
        onClick={() => setOpen(true)}
        sx={{ mx: -2, px: 2, fontSize: 14, fontWeight: 500 }}
      >
        {t`Camera (FTP)`}
      </Button>
      {open && <CameraDialog event={event} onClose={() => setOpen(false)} />}
    </>
  );
}
