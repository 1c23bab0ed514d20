import { Navigate, Outlet } from 'react-router';
import { useFollowedDeletions } from '../features/events/useDeletions';
import { UploadsProvider } from '../features/uploads/UploadsProvider';
import { useSession } from '../shared/session/session';

/** The work that goes on while the photographer moves between the screens. */
function Work() {
  useFollowedDeletions();
  return (
    <UploadsProvider>
      <Outlet />
    </UploadsProvider>
  );
}

/** The photographer's section. Another login starts with nothing of the one before. */
export default function AdminLayout() {
  const { token, isPhotographer } = useSession();
  if (!isPhotographer) return <Navigate to="/login" replace />;
  return <Work key={token} />;
}
