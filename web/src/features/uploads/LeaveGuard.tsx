import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useState } from 'react';
import { type BlockerFunction, NavigationType, useBlocker } from 'react-router';
import { registerUnsavedWorkGuard } from '../../shared/session/unsavedWork';
import { useUploads } from './context';
import { isUploading } from './queue';

export const leaveText = 'You have uploads in progress. Are you sure you want to leave?';

/** Asks before uploads are lost: on closing the page, on browser back, on leaving the photographer's section, on logout, on another event. */
export function LeaveGuard() {
  const { queue, uploader } = useUploads();
  const busy = isUploading(queue);

  useEffect(() => {
    if (!busy) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // Older browsers show this text, newer ones a text of their own.
      Reflect.set(event, 'returnValue', leaveText);
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [busy]);

  // Links between the photographer's screens lose nothing: the queue goes on behind them.
  const wouldLose = useCallback<BlockerFunction>(
    ({ historyAction, nextLocation }) =>
      isUploading(uploader.read()) &&
      (historyAction === NavigationType.Pop || !nextLocation.pathname.startsWith('/admin')),
    [uploader],
  );
  const blocker = useBlocker(wouldLose);

  const [asked, setAsked] = useState<{ answer: (leaves: boolean) => void } | null>(null);
  useEffect(
    () =>
      registerUnsavedWorkGuard(() =>
        isUploading(uploader.read()) ? new Promise((answer) => setAsked({ answer })) : Promise.resolve(true),
      ),
    [uploader],
  );

  const stay = () => {
    asked?.answer(false);
    setAsked(null);
    blocker.reset?.();
  };
  const leave = () => {
    uploader.clear();
    asked?.answer(true);
    setAsked(null);
    blocker.proceed?.();
  };
  return (
    <Dialog
      open={blocker.state === 'blocked' || asked !== null}
      onClose={stay}
      aria-labelledby="leave-title"
      aria-describedby="leave-text"
    >
      <DialogTitle id="leave-title">Uploads in progress</DialogTitle>
      <DialogContent>
        <Typography id="leave-text" color="textSecondary" sx={{ mt: 2 }}>
          {leaveText}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={stay}>
          Stay
        </Button>
        <Button variant="contained" color="danger" onClick={leave}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  );
}
