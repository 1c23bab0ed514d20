import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Logo } from '../../shared/components/Logo';
import { Page, useDocumentTitle } from '../../shared/components/Page';
import { SampleEvent } from './SampleEvent';

/** The sample event, without the navigation bar. */
export default function DemoPage() {
  useDocumentTitle('Demo');
  return (
    <Page width={1040}>
      <Box
        component={Link}
        to="/"
        sx={{ display: 'inline-block', py: 2, color: 'inherit', textDecoration: 'none' }}
      >
        <Logo />
      </Box>
      <Box
        sx={{
          display: 'flex',
          flexDirection: { xs: 'column', md: 'row' },
          alignItems: { md: 'flex-end' },
          gap: 5,
          mt: 6,
          mb: 7,
        }}
      >
        <Box sx={{ flex: 1 }}>
          <Typography variant="h1">The night at a glance</Typography>
          <Typography color="textSecondary" sx={{ mt: 2, maxWidth: '52ch' }}>
            This is how an event looks while its photos are being processed. The numbers are samples.
          </Typography>
        </Box>
        <Button component={Link} to="/register" variant="contained" color="primary" size="large">
          Start Managing Events
        </Button>
      </Box>
      <SampleEvent />
    </Page>
  );
}
