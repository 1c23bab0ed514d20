import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Event } from '../../shared/api/types';
import { Icon } from '../../shared/components/Icon';
import { Sky } from '../../shared/components/Sky';
import { VisuallyHidden, visuallyHiddenStyle } from '../../shared/components/VisuallyHidden';
import { formatShortDate } from '../../shared/formats';
import { eventScreenAddress, isEventScreen } from '../../shared/events/eventScreens';
import { confirmAndSelectEvent, useSelectedEvent } from '../../shared/session/selection';
import { confirmDiscardUnsavedWork } from '../../shared/session/unsavedWork';

function EventThumbnail({ slug, size, dimmed = false }: { slug: string; size: number; dimmed?: boolean }) {
  return (
    <Box
      component="span"
      sx={{
        width: size,
        height: size,
        flex: 'none',
        borderRadius: '7px',
        overflow: 'hidden',
        ...(dimmed && { filter: 'saturate(0.1)', opacity: 0.4 }),
      }}
    >
      <Sky slug={slug} />
    </Box>
  );
}

function dateText(event: Event): string {
  const date = formatShortDate(event.date);
  return event.deleting ? t`${date} (Deleting...)` : date;
}

/** Selects the event of the upload and gallery screens. Opening it refetches the events. */
export function EventSwitcher({ events, onOpen }: { events: Event[]; onOpen: () => void }) {
  const selected = useSelectedEvent();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const choose = async (event: Event) => {
    // On a screen of one event the address selects it.
    if (!isEventScreen(pathname)) await confirmAndSelectEvent(event);
    else if (event.id === selected?.id || (await confirmDiscardUnsavedWork())) {
      await navigate(eventScreenAddress(pathname, event.id));
    }
  };

  return (
    <>
      <ButtonBase
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget);
          onOpen();
        }}
        sx={(theme) => ({
          gap: { xs: 1, md: 2.5 },
          height: 44,
          minWidth: 44,
          flex: '0 1 auto',
          px: 1.25,
          pr: { md: 2.5 },
          textAlign: 'left',
          color: { xs: 'inherit', md: theme.vars.palette.text.primary },
          borderRadius: '12px',
          border: { md: `1px solid ${theme.vars.palette.divider}` },
          backgroundColor: { md: theme.vars.palette.background.paper },
          '&:hover': { backgroundColor: theme.vars.palette.hover },
        })}
      >
        {/* A phone has room for the picture or for the name, and the name says which event it is. */}
        <Box component="span" sx={{ display: { xs: 'none', sm: 'flex' } }}>
          {selected === null ? <Icon name="calendar" /> : <EventThumbnail slug={selected.slug} size={34} />}
        </Box>
        <Box component="span" sx={{ minWidth: 0 }}>
          <Typography
            component="span"
            noWrap
            sx={{ display: 'block', maxWidth: 170, fontSize: 14, fontWeight: 600, lineHeight: 1.2 }}
          >
            {selected?.name ?? t`Choose event`}
          </Typography>
          {selected !== null && (
            <Typography
              component="span"
              sx={(theme) => ({
                display: 'block',
                fontSize: 12,
                lineHeight: 1.2,
                mt: '2px',
                color: 'text.disabled',
                [theme.breakpoints.down('md')]: visuallyHiddenStyle,
              })}
            >
              {formatShortDate(selected.date)}
            </Typography>
          )}
        </Box>
        {selected !== null && <VisuallyHidden>{t`, change event`}</VisuallyHidden>}
        <Icon name="chevronDown" size={16} />
      </ButtonBase>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          list: { role: 'listbox', 'aria-label': t`Events` },
          paper: { sx: { mt: 1, width: 340, maxHeight: 'min(480px, 80vh)' } },
        }}
      >
        {events.length === 0 && (
          <MenuItem disabled role="option" aria-selected={false} sx={{ '&.Mui-disabled': { opacity: 1 } }}>
            {t`No events created yet`}
          </MenuItem>
        )}
        {events.map((event) => (
          <MenuItem
            key={event.id}
            role="option"
            selected={event.id === selected?.id}
            aria-selected={event.id === selected?.id}
            disabled={event.deleting}
            onClick={() => {
              close();
              void choose(event);
            }}
            sx={{ minHeight: 56, gap: 3, px: 2.5, '&.Mui-disabled': { opacity: 1, color: 'text.disabled' } }}
          >
            <EventThumbnail slug={event.slug} size={40} dimmed={event.deleting} />
            <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
              <Typography component="span" noWrap sx={{ display: 'block', fontSize: 14, fontWeight: 600 }}>
                {event.name}
              </Typography>
              <Typography component="span" variant="caption" color="textDisabled">
                {dateText(event)}
              </Typography>
            </Box>
            {event.id === selected?.id && <Icon name="check" />}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
