import { plural, t } from '@lingui/core/macro';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useState } from 'react';
import { type BlockerFunction, createPath, useBlocker } from 'react-router';

import { namedEvent } from '../../shared/events/eventScreens';
import { registerUnsavedWorkGuard } from '../../../platform/session/unsavedWork';
import { storedSelectedEvent } from '../../../platform/storage/storage';
import { useUploads } from './context';
import { isUploading } from './queue';
import { queueStats } from './queueStats';

export const leaveConfirmationText = () => t`You have uploads in progress. Are you sure you want to leave?`;

// A photographer who is logged in is redirected from these to the dashboard.
const pathsOfVisitors = ['/login', '/register'];

/** Whether the queue keeps running there: it belongs to the layout of the admin section, and to one event. */
function keepsUploads({ pathname, search }: { pathname: string; search: string }): boolean {
  const named = namedEvent(pathname, new URLSearchParams(search));
  if (named !== null && named !== storedSelectedEvent.read()?.id) return false;
  return pathname === '/admin' || pathname.startsWith('/admin/') || pathsOfVisitors.includes(pathname);
}

const leftBehindText = (count: number) =>
  plural(count, {
    one: '# photo is not uploaded yet and stays behind.',
    other: '# photos are not uploaded yet and stay behind.',
  });

/**
 * Asks for a confirmation where unfinished uploads would be discarded: when the page is closed, when the admin section
 * is left by link or browser back, on logout, and when another event is opened or selected. What was wanted can be opened
 * in a new tab instead, in which this one goes on.
 */
export function UploadNavigationBlocker() {
  const { queue, uploader } = useUploads();
  const uploading = isUploading(queue);

  useEffect(() => {
    if (!uploading) return undefined;
    const handleBeforeUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // Older browsers show this text, newer ones their own.
      Reflect.set(event, 'returnValue', leaveConfirmationText());
    };
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [uploading]);

  const shouldBlock = useCallback<BlockerFunction>(
    ({ nextLocation }) => isUploading(uploader.getSnapshot()) && !keepsUploads(nextLocation),
    [uploader],
  );
  const blocker = useBlocker(shouldBlock);

  const [confirmation, setConfirmation] = useState<{
    elsewhere: string | null;
    resolve: (leaves: boolean) => void;
  } | null>(null);
  useEffect(
    () =>
      registerUnsavedWorkGuard((elsewhere) =>
        isUploading(uploader.getSnapshot())
          ? new Promise((answer) => setConfirmation({ elsewhere, resolve: answer }))
          : Promise.resolve(true),
      ),
    [uploader],
  );

  const elsewhere =
    confirmation?.elsewhere ?? (blocker.state === 'blocked' ? createPath(blocker.location) : null);
  const asked = blocker.state === 'blocked' || confirmation !== null;
  const stay = () => {
    confirmation?.resolve(false);
    setConfirmation(null);
    blocker.reset?.();
  };
  // Confirming clears the queue. Uploads that finish while the question is open leave nothing to ask about either.
  useEffect(() => {
    if (!asked) return undefined;
    let left = false;
    return uploader.subscribe(() => {
      if (left || isUploading(uploader.getSnapshot())) return;
      left = true;
      confirmation?.resolve(true);
      setConfirmation(null);
      blocker.proceed?.();
    });
  }, [asked, blocker, confirmation, uploader]);
  const { running, waiting, compared, retrying } = queueStats(queue);
  return (
    <Dialog
      open={asked}
      onClose={stay}
      aria-labelledby="leave-title"
      aria-describedby="leave-text leave-count"
    >
      <DialogTitle id="leave-title">{t`Uploads in progress`}</DialogTitle>
      <DialogContent>
        <Typography id="leave-text" color="textSecondary" sx={{ mt: 2 }}>
          {leaveConfirmationText()}
        </Typography>
        <Typography id="leave-count" variant="body2" color="textSecondary" sx={{ mt: 2 }}>
          {leftBehindText(running + waiting - compared + retrying)}
          {elsewhere !== null && ` ${t`In a new tab nothing is cancelled.`}`}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={stay}>
          {t`Stay`}
        </Button>
        {elsewhere !== null && (
          <Button component="a" href={elsewhere} target="_blank" rel="noopener" onClick={stay}>
            {t`Open in a new tab`}
          </Button>
        )}
        <Button variant="contained" color="danger" onClick={() => uploader.clear()}>
          {t`Leave`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
