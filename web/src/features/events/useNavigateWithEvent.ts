import { useNavigate } from 'react-router';
import type { Event } from '../../shared/api/types';
import { confirmAndSelectEvent } from '../../shared/session/selection';

/** Selects an event, after a confirmation if there is unsaved work, and navigates to a path. */
export function useNavigateWithEvent(): (event: Event, path: string) => void {
  const navigate = useNavigate();
  return (event, path) => {
    void confirmAndSelectEvent(event).then((chosen) => {
      if (chosen) void navigate(path);
    });
  };
}
