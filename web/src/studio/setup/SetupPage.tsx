import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../platform/session/session';
import { AdministratorStep } from './AdministratorStep';
import { SettingsStep } from './SettingsStep';

/** The set-up of an installation: its administrator, by the link that the server has printed, and then its settings. */
export default function SetupPage() {
  const { hash } = useLocation();
  const { isPhotographer, user } = useSession();
  const token = hash.slice(1);
  if (isPhotographer && user?.is_admin === true) return <SettingsStep />;
  if (isPhotographer && token === '') return <Navigate to="/admin/overview" replace />;
  return <AdministratorStep token={token} />;
}
