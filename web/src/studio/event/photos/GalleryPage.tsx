import { Navigate, useSearchParams } from 'react-router';
import { guestRequestsAddress, wantsRequests } from '../../shared/events/eventScreens';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { EventGallery } from './EventGallery';

/** The photos of an event. Mails of earlier versions lead here to the requests of guests. */
export default function GalleryPage() {
  const { id } = useWorkspaceEvent();
  const [parameters] = useSearchParams();
  if (wantsRequests(parameters)) return <Navigate to={guestRequestsAddress(id)} replace />;
  return <EventGallery />;
}
