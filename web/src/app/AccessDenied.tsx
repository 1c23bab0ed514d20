import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Page, PageHeader } from '../shared/components/Page';
import { adminPanelTarget, publicSiteTarget, sectionOf } from './sections';

/** Shown when a route's section differs from the section of the path. */
export function AccessDenied({ path }: { path: string }) {
  const section = sectionOf(path);
  return (
    <Page width={720}>
      <PageHeader title={t`Access Denied`} subtitle={t`This page belongs to the other section.`} />
      <Box
        component="dl"
        sx={{ m: 0, mb: 7, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 6, rowGap: 2 }}
      >
        <Typography component="dt" color="textSecondary">
          {t`Current section`}
        </Typography>
        <Typography component="dd" sx={{ m: 0, fontWeight: 600 }}>
          {section}
        </Typography>
        <Typography component="dt" color="textSecondary">
          {t`Attempted route`}
        </Typography>
        <Typography component="dd" sx={{ m: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
          {path}
        </Typography>
      </Box>
      {section === 'public' ? (
        <Button variant="contained" color="primary" component={Link} to={adminPanelTarget(path)}>
          {t`Go to the admin panel`}
        </Button>
      ) : (
        <Button variant="contained" color="primary" component={Link} to={publicSiteTarget(path)}>
          {t`Go to the public site`}
        </Button>
      )}
      <Typography variant="body2" color="textSecondary" sx={{ mt: 6 }}>
        {t`For photographer access, visit /admin/login.`}
      </Typography>
    </Page>
  );
}
