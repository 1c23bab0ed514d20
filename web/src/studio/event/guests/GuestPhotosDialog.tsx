import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { Alert } from '../../../ui/Alert';
import { Icon } from '../../../ui/Icon';
import { useSnackbar } from '../../../ui/useSnackbar';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import type { SentTogether } from '../../shared/notifications/guestPhotos';
import { type Decision, decidedMessage, priceText, useDecision } from './guestPhotoDecisions';
import { WaitingPicture } from './WaitingPicture';

/** The photos of one guest, one after the other and large; arrow keys, L and D decide about each. */
export function GuestPhotosDialog({
  eventId,
  sent: { name, photos },
  price,
  onClose,
}: {
  eventId: string;
  sent: SentTogether;
  /** Rupees that each photo costs. */
  price: number;
  onClose: () => void;
}) {
  const titleId = useId();
  const [current, setCurrent] = useState({ id: photos[0]?.id, index: 0 });
  const [said, setSaid] = useState('');
  const show = useSnackbar();
  const decision = useDecision(eventId);
  // The photo in sight, wherever it is by now; the next one takes the place of one that is gone.
  const known = photos.findIndex(({ id }) => id === current.id);
  const index = known >= 0 ? known : Math.min(current.index, photos.length - 1);
  const photo = photos[index];
  if (photo !== undefined && (photo.id !== current.id || index !== current.index))
    setCurrent({ id: photo.id, index });
  const total = photos.length;
  const title =
    name === null
      ? plural(total, { one: '# photo from a guest', other: '# photos from a guest' })
      : plural(total, { one: `# photo from ${name}`, other: `# photos from ${name}` });
  const place = t`${{ number: index + 1 }} of ${{ total }}`;
  const go = (step: number) => {
    const next = Math.min(Math.max(index + step, 0), total - 1);
    setCurrent({ id: photos[next]?.id, index: next });
    setSaid(t`Photo ${{ number: next + 1 }} of ${{ total }}`);
  };
  // Its buttons stay focusable meanwhile: a disabled one loses the focus, and the dialog its keys.
  const decide = (what: Decision, ids: string[]) => {
    if (decision.isPending || ids.length === 0) return;
    setSaid('');
    // The dialog goes with the last photo: what was done is said all the same.
    void decision.mutateAsync({ decision: what, ids }).then(
      (decided) => {
        const message = decidedMessage(what, decided, ids.length);
        if (ids.length < total && message.tone === 'success') setSaid(message.text);
        else show(message);
      },
      () => undefined,
    );
  };
  const own = photo === undefined ? [] : [photo.id];
  const all = photos.map(({ id }) => id);
  const rtl = document.documentElement.dir === 'rtl';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const step = { arrowright: rtl ? -1 : 1, arrowleft: rtl ? 1 : -1 }[key];
    if (step !== undefined) go(step);
    else if (event.repeat && ['l', 'd', 'enter'].includes(key)) {
      // Held down, they would decide about photos that nobody has seen.
    } else if (key === 'l') decide('let-in', own);
    else if (key === 'd') decide('decline', own);
    else return;
    event.preventDefault();
  };
  const arrow = (step: -1 | 1, label: string) => (
    <IconButton
      aria-label={label}
      disabled={index + step < 0 || index + step >= total}
      onClick={() => go(step)}
      // It points to the side where the photo before, or the next one, is.
      sx={{ transform: `rotate(${step < 0 === rtl ? -90 : 90}deg)` }}
    >
      <Icon name="chevronDown" />
    </IconButton>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      slotProps={{
        paper: {
          sx: { width: '100%', maxWidth: '100%', height: '100%', maxHeight: '100%', m: 0, borderRadius: 0 },
        },
      }}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateRows: 'auto minmax(0, 1fr) auto',
          height: '100%',
          p: { xs: 4, md: 6 },
          gap: 4,
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 4 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="h3" component="h2" id={titleId} sx={{ overflowWrap: 'anywhere' }}>
              {title}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {t`Not seen by anybody yet.`} {priceText(total, price)}
            </Typography>
          </Box>
          <IconButton aria-label={t`Close`} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </Box>
        {photo !== undefined && (
          <WaitingPicture
            key={photo.id}
            eventId={eventId}
            photo={photo}
            size="preview"
            alt={photo.original_filename}
            sx={{ minHeight: 0 }}
          />
        )}
        <Box sx={{ display: 'grid', gap: 3 }}>
          {decision.isError && (
            <Alert tone="error">
              {errorMessage(decision.error, t`The decision could not be saved. Please try again.`)}
            </Alert>
          )}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
            {arrow(-1, t`Previous photo`)}
            <Typography variant="body2" color="textSecondary">
              {place}
            </Typography>
            {arrow(1, t`Next photo`)}
            <Box
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                justifyContent: 'flex-end',
                gap: 2,
                marginInlineStart: 'auto',
              }}
            >
              {total > 1 && (
                <Button
                  aria-disabled={decision.isPending}
                  onClick={() => decide('let-in', all)}
                >{t`Let in all of this guest`}</Button>
              )}
              <Button
                variant="outlined"
                aria-disabled={decision.isPending}
                aria-keyshortcuts="d"
                onClick={() => decide('decline', own)}
              >
                {t`Decline`}
              </Button>
              <Button
                variant="contained"
                autoFocus
                aria-disabled={decision.isPending}
                aria-keyshortcuts="l"
                onClick={() => decide('let-in', own)}
              >
                {t`Let in`}
              </Button>
            </Box>
          </Box>
          <Typography variant="caption" color="textSecondary" sx={{ display: { xs: 'none', md: 'block' } }}>
            {t`Keys: arrows for the photos, L lets in, D declines, Escape closes.`}
          </Typography>
        </Box>
        <VisuallyHidden role="status">{said}</VisuallyHidden>
      </Box>
    </Dialog>
  );
}
