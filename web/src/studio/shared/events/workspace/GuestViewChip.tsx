import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import MuiLink from '@mui/material/Link';
import Popover from '@mui/material/Popover';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { type FocusEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { errorMessage } from '../../../../platform/api/errors';
import type { Event } from '../../../../platform/api/types';
import { formatCount } from '../../../../platform/formats';
import { ActionDialog } from '../../../../ui/ActionDialog';
import { Icon } from '../../../../ui/Icon';
import { TextField } from '../../../../ui/TextField';
import { useSnackbar } from '../../../../ui/useSnackbar';
import { useChangeEvent } from '../editing/changeEvent';
import { eventScreenAddress } from '../eventScreens';
import { guestAccessText, guestViewText } from './guestAccess';
import {
  type Publication,
  publicationOf,
  publishShown,
  publishText,
  useChangePublication,
} from './publication';

const saveFailed = (error: Error) =>
  errorMessage(error, t`The setting could not be saved. Please try again.`);

/** What guests see, in as few words as the header has room for. */
const chipText = (event: Event) =>
  ({
    as_they_arrive: guestViewText(event),
    held: t`Guests: photos held`,
    complete: t`Guests: complete`,
  })[publicationOf(event)];

const choices = (): { value: Publication; label: string; help: string }[] => [
  { value: 'as_they_arrive', label: t`As they arrive`, help: t`Guests see new photos at once.` },
  {
    value: 'held',
    label: t`Held until published`,
    help: t`New photos wait, and only your team sees them until you publish them.`,
  },
  {
    value: 'complete',
    label: t`Complete`,
    help: t`Guests read that no more photos are coming.`,
  },
];

function heldText(held: number): string {
  const count = formatCount(held);
  return plural(held, {
    one: `${count} photo is held. Guests see it with this.`,
    other: `${count} photos are held. Guests see them with this.`,
  });
}

/** Asks what cannot be taken back: photos that guests have seen, and mails that they have got. */
function ConfirmDialog({
  event,
  to,
  change,
  onClose,
  onSaved,
}: {
  event: Event;
  to: Publication;
  change: ReturnType<typeof useChangePublication>;
  onClose: () => void;
  onSaved: () => void;
}) {
  const held = event.held_photos ?? 0;
  const complete = to === 'complete';
  // None is held any more where somebody else has published them while this was asked.
  const action = complete ? t`They are complete` : t`Show as they arrive`;
  return (
    <ActionDialog
      title={complete ? t`Are the photos complete?` : t`Show photos as they arrive?`}
      text={
        <Box sx={{ display: 'grid', gap: 2 }}>
          {held > 0 && <span>{heldText(held)}</span>}
          {held === 0 && !complete && <span>{t`Guests see new photos at once.`}</span>}
          {complete && (
            <span>
              {t`Guests who left an address are written to once: about photos of them that they do not know yet, or that none was found.`}
            </span>
          )}
        </Box>
      }
      action={held > 0 ? publishText(held) : action}
      busy={change.isPending}
      failure={change.error === null ? null : saveFailed(change.error)}
      onClose={onClose}
      onSubmit={() => change.mutate({ publication: to, ...publishShown(event) }, { onSuccess: onSaved })}
    />
  );
}

/** Today where the event takes place, YYYY-MM-DD. */
const todayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());

/** Until which day more photos are coming. */
function MoreUntil({ event }: { event: Event }) {
  const show = useSnackbar();
  const change = useChangeEvent(event.id, {
    onError: (error) => show({ tone: 'error', text: saveFailed(error) }),
  });
  const saved = event.more_until ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const save = ({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    // A day of which a part is missing reads as an empty one.
    if (typed === null || target.validity.badInput) return;
    // Unless another one is typed by then.
    const forget = () => setTyped((now) => (now === typed ? null : now));
    if (typed === saved) forget();
    else change.mutate({ more_until: typed === '' ? null : typed }, { onSuccess: forget });
  };
  return (
    <TextField
      label={t`More photos are coming until`}
      type="date"
      value={typed ?? saved}
      helperText={t`Guests read it until that day is over. Leave it empty to say nothing.`}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={save}
      slotProps={{ input: { min: todayIn(event.time_zone) } }}
    />
  );
}

/** Says in the header of an event what guests see, and changes it. */
export function GuestViewChip({ event }: { event: Event }) {
  const titleId = useId();
  const show = useSnackbar();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // Not saved as it is chosen: whoever uses arrow keys passes the choice in the middle.
  const [choice, setChoice] = useState<Publication | null>(null);
  const [asks, setAsks] = useState(false);
  const change = useChangePublication(event.id);
  const current = publicationOf(event);
  const chosen = choice ?? current;
  // The focus goes back to the chip with it.
  const close = () => {
    setAsks(false);
    setAnchor(null);
  };
  const save = () => {
    const held = (event.held_photos ?? 0) > 0;
    if (chosen === 'complete' || (chosen === 'as_they_arrive' && held)) {
      change.reset();
      setAsks(true);
    } else
      change.mutate(
        { publication: chosen },
        {
          onSuccess: close,
          onError: (error) => show({ tone: 'error', text: saveFailed(error) }),
        },
      );
  };
  return (
    <>
      <Chip
        component="button"
        type="button"
        clickable
        onClick={({ currentTarget }: { currentTarget: HTMLElement }) => {
          setChoice(null);
          setAnchor(currentTarget);
        }}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        icon={<Icon name={current === 'held' ? 'eyeOff' : 'eye'} size={16} />}
        label={chipText(event)}
        sx={(theme) => {
          const tone = current === 'held' ? 'warning' : 'success';
          return {
            fontWeight: 600,
            color: theme.vars.palette[tone].main,
            backgroundColor: theme.vars.palette.soft[tone],
            '&:hover': { backgroundColor: theme.vars.palette.soft[tone] },
            '& svg': { color: 'inherit !important', ml: '10px !important', mr: '-4px !important' },
          };
        }}
      />
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-labelledby': titleId,
            sx: { width: 360, maxWidth: 'calc(100vw - 32px)', mt: 2, p: 5 },
          },
        }}
      >
        <Typography id={titleId} component="h2" sx={{ fontSize: 16, fontWeight: 600 }}>
          {t`What guests see`}
        </Typography>
        <RadioGroup
          aria-labelledby={titleId}
          value={chosen}
          onChange={(_, value) => setChoice(value as Publication)}
          sx={{ mt: 3, gap: 2 }}
        >
          {choices().map(({ value, label, help }) => (
            <FormControlLabel
              key={value}
              value={value}
              control={<Radio size="small" sx={{ alignSelf: 'flex-start', mt: -1 }} />}
              slotProps={{ typography: { component: 'div' } }}
              label={
                <>
                  <Box component="span" sx={{ display: 'block', fontSize: 14, fontWeight: 600 }}>
                    {label}
                  </Box>
                  <Box component="span" sx={{ display: 'block', fontSize: 13, color: 'text.secondary' }}>
                    {help}
                  </Box>
                </>
              }
            />
          ))}
        </RadioGroup>
        {chosen !== current && (
          <Button
            variant="contained"
            size="small"
            loading={change.isPending && !asks}
            onClick={save}
            sx={{ mt: 3 }}
          >
            {t`Save`}
          </Button>
        )}
        {current !== 'complete' && (
          <Box sx={{ mt: 4 }}>
            <MoreUntil event={event} />
          </Box>
        )}
        <Typography variant="body2" color="textSecondary" sx={{ mt: 4 }}>
          {guestAccessText(event)}{' '}
          <MuiLink
            component={Link}
            to={`${eventScreenAddress('/admin/settings', event.id)}#guests`}
            onClick={close}
          >
            {t`Change in Settings`}
          </MuiLink>
        </Typography>
      </Popover>
      {asks && (
        <ConfirmDialog
          event={event}
          to={chosen}
          change={change}
          onClose={() => setAsks(false)}
          onSaved={close}
        />
      )}
    </>
  );
}
