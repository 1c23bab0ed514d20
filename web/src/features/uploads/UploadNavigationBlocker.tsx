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

export const leaveConfirmationText = 'You have uploads in progress. Are you sure you want to leave?';

/**
 * Asks for a confirmation before unfinished uploads are discarded: when the page is closed, on browser back, when
 * leaving the admin section, on logout, and when another event is selected.
 */
export function UploadNavigationBlocker() {
  const { queue, uploader } = useUploads();
  const uploading = isUploading(queue);

  useEffect(() => {
    if (!uploading) return undefined;
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // Older browsers show this text, newer ones their own.
      Reflect.set(event, 'returnValue', leaveConfirmationText);
    };
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [uploading]);

  // Links within the admin section are not blocked: the queue keeps running.
  const shouldBlock = useCallback<BlockerFunction>(
    ({ historyAction, nextLocation }) =>
      isUploading(uploader.getSnapshot()) &&
      (historyAction === NavigationType.Pop || !nextLocation.pathname.startsWith('/admin')),
    [uploader],
  );
  const blocker = useBlocker(shouldBlock);

  const [confirmation, setConfirmation] = useState<{ resolve: (leaves: boolean) => void } | null>(null);
  useEffect(
    () =>
      registerUnsavedWorkGuard(() =>
        isUploading(uploader.getSnapshot())
          ? new Promise((answer) => setConfirmation({ resolve: answer }))
          : Promise.resolve(true),
      ),
    [uploader],
  );

  const stay = () => {
    confirmation?.resolve(false);
    setConfirmation(null);
    blocker.reset?.();
  };
  const leave = () => {
    uploader.clear();
    confirmation?.resolve(true);
    setConfirmation(null);
    blocker.proceed?.();
  };
  return (
    <Dialog
      open={blocker.state === 'blocked' || confirmation !== null}
      onClose={stay}
      aria-labelledby="leave-title"
      aria-describedby="leave-text"
    >
      <DialogTitle id="leave-title">Uploads in progress</DialogTitle>
      <DialogContent>
        <Typography id="leave-text" color="textSecondary" sx={{ mt: 2 }}>
          {leaveConfirmationText}
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
