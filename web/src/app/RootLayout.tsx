import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigate, useNavigation } from 'react-router';
import { setLoginNavigation } from '../platform/api/authorizedFetch';
import { type BarTone, BarToneContext } from '../ui/barTone';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { ProgressBar } from '../ui/ProgressBar';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import { useLocale } from '../platform/i18n/useLocale';
import { NotificationProvider } from '../studio/shared/notifications/NotificationProvider';
import { useSession } from '../platform/session/session';
import { AccessDenied } from './AccessDenied';
import { handleTokenChange, type TokenChangeContext } from './crossTab';
import { NavigationBar } from './navigation/NavigationBar';
import { type Section, sectionOf } from './sections';

/** The `handle` of a route. */
export interface RouteHandle {
  /** The section that the route belongs to. */
  section?: Section;
  bar?: BarTone | 'none';
  /** The bar has the logo alone: for everybody, or for photographers, whose bar has no room above a form. */
  minimal?: boolean | 'photographers';
}

function useRouteHandle(): RouteHandle {
  return useMatches().reduce<RouteHandle>(
    (handle, match) => ({ ...handle, ...(match.handle as RouteHandle | undefined) }),
    {},
  );
}

function SkipLink() {
  return (
    <Box
      component="a"
      href="#main"
      sx={(theme) => ({
        position: 'fixed',
        left: 16,
        top: -80,
        zIndex: theme.zIndex.tooltip,
        p: 3,
        borderRadius: '10px',
        color: theme.vars.palette.ink.contrastText,
        backgroundColor: theme.vars.palette.ink.main,
        '&:focus': { top: 10 },
      })}
    >
      {t`Skip to content`}
    </Box>
  );
}

/** A progress bar at the top while the next screen is loading. */
function NavigationProgress() {
  const pending = useNavigation().state === 'loading';
  return (
    <Box sx={(theme) => ({ position: 'fixed', inset: '0 0 auto 0', zIndex: theme.zIndex.tooltip })}>
      {pending && <ProgressBar label={t`Loading the page`} />}
    </Box>
  );
}

/** Navigation bar, screen and snackbar; checks the section and handles session changes in other tabs. */
export function RootLayout() {
  useLocale();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const handle = useRouteHandle();
  const [tone, setTone] = useState<BarTone | null>(null);

  useEffect(() => setLoginNavigation(() => void navigate('/login')), [navigate]);
  const { token, isPhotographer } = useSession();
  const context = useRef<TokenChangeContext | null>(null);
  // Before the screen is painted: a change that arrives between commit and passive effects would be missed.
  useLayoutEffect(() => {
    context.current = {
      path: pathname,
      loggedIn: token !== null,
      navigateToLogin: () => void navigate('/login'),
    };
  }, [navigate, pathname, token]);
  useLayoutEffect(() => {
    const handleStorage = (event: StorageEvent) => {
      if (context.current !== null) handleTokenChange(event, context.current);
    };
    // While capturing: before the subscribers of the session, whose render replaces the context.
    window.addEventListener('storage', handleStorage, { capture: true });
    return () => window.removeEventListener('storage', handleStorage, { capture: true });
  }, []);

  const denied = handle.section !== undefined && handle.section !== sectionOf(pathname);
  const minimal = denied || handle.minimal === true || (handle.minimal === 'photographers' && isPhotographer);
  const bar = tone ?? handle.bar ?? 'solid';
  return (
    <SnackbarProvider>
      <NotificationProvider>
        <BarToneContext value={setTone}>
          <SkipLink />
          <NavigationProgress />
          {bar !== 'none' && (
            <ErrorBoundary fallback={() => <NavigationBar tone={denied ? 'solid' : bar} minimal />}>
              <NavigationBar tone={denied ? 'solid' : bar} minimal={minimal} />
            </ErrorBoundary>
          )}
          {denied ? <AccessDenied path={pathname} /> : <Outlet />}
          <ScrollRestoration />
        </BarToneContext>
      </NotificationProvider>
    </SnackbarProvider>
  );
}
