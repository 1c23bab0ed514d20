import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Event } from '../../platform/api/types';
import { Icon } from '../../ui/Icon';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { visuallyHiddenStyle } from '../../ui/visuallyHiddenStyle';
import { formatShortDate } from '../../platform/shortDates';
import { eventScreenAddress, isEventScreen, useEventId } from '../../studio/shared/events/eventScreens';
import { confirmAndSelectEvent, useSelectedEvent } from '../../platform/session/selection';
import { confirmDiscardUnsavedWork } from '../../platform/session/unsavedWork';
import { EventChoices } from './EventChoices';
import { EventThumbnail } from './EventThumbnail';

/** Says which event is shown, or was last, and leads to others. Opening it fetches the events. */
export function EventSwitcher({
  event: loaded,
  onOpen,
}: {
  /** Once it is loaded. */
  event: Event | undefined;
  onOpen: () => void;
}) {
  const { id } = useEventId();
  const last = useSelectedEvent();
  // What is stored of it stands in until it is loaded.
  const selected = loaded ?? (last?.id === id ? last : null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const choose = async (event: Event) => {
    // On a screen of one event the address names it.
    const address = eventScreenAddress(isEventScreen(pathname) ? pathname : '/admin/gallery', event.id);
    if (!isEventScreen(pathname)) await confirmAndSelectEvent(event, address);
    else if (event.id === id || (await confirmDiscardUnsavedWork(address))) await navigate(address);
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
          {selected === null ? <Icon name="calendar" /> : <EventThumbnail event={selected} size={34} />}
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
                whiteSpace: 'nowrap',
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
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { mt: 1, width: 340, maxHeight: 'min(480px, 80vh)' } } }}
      >
        <EventChoices
          selectedId={selected?.id}
          onChoose={(event) => {
            close();
            void choose(event);
          }}
        />
      </Popover>
    </>
  );
}
