import { t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import { Link, useLocation } from 'react-router';
import { AdministrationLayout } from '../../studio/administration/AdministrationLayout';
import { useSession } from '../../platform/session/session';
import { AccessDenied } from '../AccessDenied';

/** The administration, for administrators alone. The server checks each of its calls by itself. */
export default function AdministrationScreen() {
  const { user } = useSession();
  const { pathname } = useLocation();
  if (user?.is_admin === true) return <AdministrationLayout />;
  return (
    <AccessDenied path={pathname} reason={t`This page is for administrators.`}>
      <Button variant="contained" color="primary" component={Link} to="/admin/overview">
        {t`Go to Dashboard`}
      </Button>
    </AccessDenied>
  );
}
