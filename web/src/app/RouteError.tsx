import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRouteError } from 'react-router';
import { Page } from '../shared/components/Page';

/** A screen's code that did not come: each browser words it in its own way, and names the file. */
const isLostModule = (error: Error): boolean => /imported module|module script/i.test(error.message);

function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return isLostModule(error)
    ? 'This page did not come through. Check your connection, then load it again.'
    : error.message;
}

/** What is left when a screen breaks. */
export function RouteError() {
  const reason = reasonOf(useRouteError());
  return (
    <Page width={720}>
      <Box role="alert">
        <Typography variant="h1">Unexpected Application Error!</Typography>
        {reason !== null && (
          <Typography color="textSecondary" sx={{ mt: 3, overflowWrap: 'anywhere' }}>
            {reason}
          </Typography>
        )}
      </Box>
      <Button variant="contained" color="primary" sx={{ mt: 6 }} onClick={() => window.location.reload()}>
        Load the page again
      </Button>
    </Page>
  );
}
