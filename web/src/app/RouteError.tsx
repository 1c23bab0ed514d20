import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link, useLocation, useNavigate, useRouteError } from 'react-router';
import { Page } from '../ui/Page';
import { sectionOf } from './sections';

/** A failed dynamic import. Each browser has its own message. */
const isModuleLoadError = (error: unknown): boolean =>
  error instanceof Error && /imported module|module script/i.test(error.message);

/**
 * What stands in place of a screen that could not be shown; what is around it stays, and uploads go on. `nested`: it is in the
 * content of another screen.
 */
export function RouteError({ nested = false }: { nested?: boolean }) {
  const unloaded = isModuleLoadError(useRouteError());
  const location = useLocation();
  const navigate = useNavigate();
  const admin = sectionOf(location.pathname) === 'admin';
  const content = (
    <>
      <Box role="alert">
        <Typography
          variant="h1"
          component={nested ? 'h2' : 'h1'}
        >{t`Unexpected Application Error!`}</Typography>
        <Typography color="textSecondary" sx={{ mt: 3 }}>
          {unloaded
            ? t`This page did not come through. Check your connection, then load it again.`
            : t`This page could not be shown.`}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 6 }}>
        {unloaded ? (
          // The browser does not ask for a module again that it could not load.
          <Button variant="contained" color="primary" onClick={() => window.location.reload()}>
            {t`Load the page again`}
          </Button>
        ) : (
          <Button
            variant="contained"
            color="primary"
            onClick={() => void navigate(location, { replace: true, preventScrollReset: true })}
          >
            {t`Try again`}
          </Button>
        )}
        <Button variant="outlined" component={Link} to={admin ? '/admin/overview' : '/'}>
          {admin ? t`Go to Dashboard` : t`Home`}
        </Button>
      </Box>
    </>
  );
  return nested ? content : <Page width={720}>{content}</Page>;
}
