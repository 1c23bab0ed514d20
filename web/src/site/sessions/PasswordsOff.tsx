import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { Alert } from '../../ui/Alert';

/** In the place of a page about passwords, where nobody has one. */
export function PasswordsOff({
  title,
  tagline,
  taglineText,
}: {
  title: string;
  tagline: string;
  taglineText: string;
}) {
  return (
    <AuthLayout title={title} tagline={tagline} taglineText={taglineText}>
      <Box sx={{ display: 'grid', gap: 5, mt: 6 }}>
        <Alert tone="warning">{t`There are no passwords here. Please log in with single sign-on.`}</Alert>
        <Button component={Link} to="/login" variant="contained" color="primary" size="large">
          {t`Go to Login`}
        </Button>
      </Box>
    </AuthLayout>
  );
}
