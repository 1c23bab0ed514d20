import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect } from 'react';
import { Outlet, ScrollRestoration, useNavigate } from 'react-router';
import { setLoginNavigation } from '../../platform/api/authorizedFetch';
import { SnackbarProvider } from '../../ui/SnackbarProvider';
import { useLocale } from '../../platform/i18n/useLocale';
import { NotificationProvider } from '../../studio/shared/notifications/NotificationProvider';
import { NavigationBar } from '../navigation/NavigationBar';

/** Says on every screen that this is the demo, and leads out of it. */
function DemoNotice() {
  return (
    <Box
      component="aside"
      aria-label={t`Demo`}
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 2,
        px: { xs: 4, md: 8 },
        py: 2,
        fontSize: 14,
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.soft.accent,
      })}
    >
      <span>
        {t`Demo: sample data. What you do here stays in this tab and is gone when it is loaded again.`}
      </span>
      <Box sx={{ display: 'flex', gap: 2 }}>
        {/* Other documents: their server and session are the real ones. */}
        <Button size="small" href="/demo">
          {t`Leave the demo`}
        </Button>
        <Button size="small" variant="outlined" href="/register">
          {t`Start Managing Events`}
        </Button>
      </Box>
    </Box>
  );
}

export function DemoLayout() {
  useLocale();
  const navigate = useNavigate();
  useEffect(() => setLoginNavigation(() => void navigate('/login')), [navigate]);
  return (
    <SnackbarProvider>
      <NotificationProvider>
        <DemoNotice />
        <NavigationBar tone="solid" />
        <Outlet />
        <ScrollRestoration />
      </NotificationProvider>
    </SnackbarProvider>
  );
}
