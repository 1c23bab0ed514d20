import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { SecondFactorGate } from './SecondFactorGate';
import { administrationPath, administrationScreens } from './sections';

/** The navigation of the administration, above its screens. */
export function AdministrationLayout() {
  const { pathname } = useLocation();
  const list = useRef<HTMLDivElement>(null);
  // On a phone not all of them are in sight.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (list.current === null || current === null || current === undefined) return;
    list.current.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - list.current.clientWidth / 2;
  }, [pathname]);
  return (
    <>
      <Box
        ref={list}
        component="nav"
        aria-label={t`Administration`}
        sx={(theme) => ({
          borderBottom: 1,
          borderColor: 'divider',
          position: 'relative',
          overflowX: 'auto',
          scrollbarWidth: 'none',
          backgroundColor: theme.vars.palette.background.paper,
        })}
      >
        <Box
          component="ul"
          sx={{
            display: 'flex',
            width: 'max-content',
            m: 0,
            px: { xs: 2, md: 6 },
            listStyle: 'none',
          }}
        >
          {administrationScreens().map(({ label, to }) => (
            <li key={to}>
              <Box
                component={NavLink}
                to={to}
                end={to === administrationPath}
                sx={(theme) => ({
                  display: 'flex',
                  alignItems: 'center',
                  minHeight: 48,
                  px: 2,
                  mx: { md: 0.5 },
                  fontSize: 14,
                  fontWeight: 500,
                  whiteSpace: 'nowrap',
                  textDecoration: 'none',
                  color: theme.vars.palette.text.secondary,
                  outlineOffset: '-4px !important',
                  '&:hover': { color: theme.vars.palette.text.primary },
                  '&[aria-current=page]': {
                    fontWeight: 600,
                    color: theme.vars.palette.text.primary,
                    boxShadow: `inset 0 -2px 0 ${theme.vars.palette.primary.main}`,
                  },
                })}
              >
                {label}
              </Box>
            </li>
          ))}
        </Box>
      </Box>
      <SecondFactorGate>
        <Outlet />
      </SecondFactorGate>
    </>
  );
}
