import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigate, useNavigation } from 'react-router';
import { setLoginNavigation } from '../shared/api/client';
import { type BarTone, BarToneContext } from '../shared/components/barTone';
import { ProgressBar } from '../shared/components/ProgressBar';
import { SnackbarProvider } from '../shared/components/SnackbarProvider';
import { NotificationProvider } from '../shared/notifications/NotificationProvider';
import { AccessDenied } from './AccessDenied';
import { followTokenChange } from './crossTab';
import { NavigationBar } from './navigation/NavigationBar';
import { type Section, sectionOf } from './sections';

/** What a route says about the frame around it. */
export interface RouteFrame {
  /** The section the route was made for. */
  section?: Section;
  bar?: BarTone | 'none';
}

function useRouteFrame(): RouteFrame {
  return useMatches().reduce<RouteFrame>(
    (frame, match) => ({ ...frame, ...(match.handle as RouteFrame | undefined) }),
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
      Skip to content
    </Box>
  );
}

/** The line at the top while the code of the next screen is on its way. */
function PendingNavigation() {
  const pending = useNavigation().state === 'loading';
  return (
    <Box sx={(theme) => ({ position: 'fixed', inset: '0 0 auto 0', zIndex: theme.zIndex.tooltip })}>
      {pending && <ProgressBar label="Loading the page" />}
    </Box>
  );
}

/** Bar, screen and snackbar; guards the sections and follows the login of other tabs. */
export function RootLayout() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const frame = useRouteFrame();
  const [tone, setTone] = useState<BarTone | null>(null);

  useEffect(() => setLoginNavigation(() => void navigate('/login')), [navigate]);
  useEffect(() => {
    const follow = (event: StorageEvent) => followTokenChange(event, pathname, () => void navigate('/login'));
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [navigate, pathname]);

  const denied = frame.section !== undefined && frame.section !== sectionOf(pathname);
  const bar = tone ?? frame.bar ?? 'solid';
  return (
    <SnackbarProvider>
      <NotificationProvider>
        <BarToneContext value={setTone}>
          <SkipLink />
          <PendingNavigation />
          {bar !== 'none' && <NavigationBar tone={denied ? 'solid' : bar} minimal={denied} />}
          {denied ? <AccessDenied path={pathname} /> : <Outlet />}
          <ScrollRestoration />
        </BarToneContext>
      </NotificationProvider>
    </SnackbarProvider>
  );
}
