import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRouteError } from 'react-router';
import { Page } from '../shared/components/Page';

const reasonOf = (error: unknown): string | null => (error instanceof Error ? error.message : null);

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
