import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRouteError } from 'react-router';
import { Page } from '../shared/components/Page';

/** A failed dynamic import. Each browser has its own message, which contains the file name. */
const isModuleLoadError = (error: Error): boolean => /imported module|module script/i.test(error.message);

function messageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return isModuleLoadError(error)
    ? t`This page did not come through. Check your connection, then load it again.`
    : error.message;
}

/** The error boundary of the routes. */
export function RouteError() {
  const message = messageOf(useRouteError());
  return (
    <Page width={720}>
      <Box role="alert">
        <Typography variant="h1">{t`Unexpected Application Error!`}</Typography>
        {message !== null && (
          <Typography color="textSecondary" sx={{ mt: 3, overflowWrap: 'anywhere' }}>
            {message}
          </Typography>
        )}
      </Box>
      <Button variant="contained" color="primary" sx={{ mt: 6 }} onClick={() => window.location.reload()}>
        {t`Load the page again`}
      </Button>
    </Page>
  );
}
