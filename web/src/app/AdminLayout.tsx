import { Navigate, Outlet } from 'react-router';
import { useDeletionPolling } from '../studio/events/useDeletions';
import { UploadsProvider } from '../studio/event/uploads/UploadsProvider';
import { useSession } from '../platform/session/session';

/** Keeps uploads and the polling of deletions running while the photographer navigates between screens. */
function BackgroundWork() {
  useDeletionPolling();
  return (
    <UploadsProvider>
      <Outlet />
    </UploadsProvider>
  );
}

/** The layout of the admin section. The key remounts it for another session. */
export default function AdminLayout() {
  const { token, isPhotographer } = useSession();
  if (!isPhotographer) return <Navigate to="/login" replace />;
  return <BackgroundWork key={token} />;
}
