import { useNavigate } from 'react-router';
import type { Event } from '../../shared/api/types';
import { type EventScreenPath, eventScreenAddress } from '../../shared/events/eventScreens';
import { confirmAndSelectEvent } from '../../shared/session/selection';

/** Selects an event, after a confirmation if there is unsaved work, and navigates to a screen of it. */
export function useNavigateWithEvent(): (event: Event, path: EventScreenPath) => void {
  const navigate = useNavigate();
  return (event, path) => {
    void confirmAndSelectEvent(event).then((chosen) => {
      if (chosen) void navigate(eventScreenAddress(path, event.id));
    });
  };
}
