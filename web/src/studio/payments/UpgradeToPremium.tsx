import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import { useSnackbar } from '../../ui/useSnackbar';
import { useSession } from '../../platform/session/session';
import { storedUser } from '../../platform/storage/storage';
import { PremiumDialog, type PremiumPayment } from './PremiumDialog';

/** A button that opens the premium dialog; a chip if the account already has the plan. */
export function UpgradeToPremium({ onPaid }: { onPaid?: (payment: PremiumPayment) => void }) {
  const show = useSnackbar();
  const { user } = useSession();
  const [open, setOpen] = useState(false);

  if (user?.premium === true) return <Chip icon={<Icon name="star" size={16} />} label={t`Premium`} />;
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {t`Upgrade to Premium`}
      </Button>
      <PremiumDialog
        open={open}
        onClose={() => setOpen(false)}
        onPaid={(payment) => {
          setOpen(false);
          if (user !== null) storedUser.write({ ...user, premium: true });
          show({ tone: 'success', text: t`Premium is yours: uploads are free from now on.` });
          onPaid?.(payment);
        }}
      />
    </>
  );
}
