import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../shared/session/session';
import { FirstAccountStep } from './FirstAccountStep';
import { SettingsStep } from './SettingsStep';

/** The set-up of an installation: its first account, by the link that the server has printed, and then its settings. */
export default function SetupPage() {
  const { hash } = useLocation();
  const { isPhotographer, user } = useSession();
  if (isPhotographer) {
    return user?.is_admin === true ? <SettingsStep /> : <Navigate to="/admin/overview" replace />;
  }
  return <FirstAccountStep token={hash.slice(1)} />;
}
