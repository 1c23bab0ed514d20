import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Page, PageHeader } from '../ui/Page';
import { adminPanelTarget, publicSiteTarget, sectionOf } from './sections';

/**
 * Shown when a route's section differs from the section of the path; or for another `reason`, with what can be done instead.
 */
export function AccessDenied({
  path,
  reason,
  children,
}: {
  path: string;
  reason?: string;
  children?: ReactNode;
}) {
  const section = sectionOf(path);
  return (
    <Page width={720}>
      <PageHeader title={t`Access Denied`} subtitle={reason ?? t`This page belongs to the other section.`} />
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
      {children ?? <OtherSection path={path} />}
    </Page>
  );
}

/** The way to the other section. */
function OtherSection({ path }: { path: string }) {
  return (
    <>
      {sectionOf(path) === 'public' ? (
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
    </>
  );
}
