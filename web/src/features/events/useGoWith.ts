import { useNavigate } from 'react-router';
import type { Event } from '../../shared/api/types';
import { confirmAndSelectEvent } from '../../shared/session/selection';

/** Opens a screen for an event, which becomes the chosen one if the person lets go of what that costs. */
export function useGoWith(): (event: Event, path: string) => void {
  const navigate = useNavigate();
  return (event, path) => {
    void confirmAndSelectEvent(event).then((chosen) => {
      if (chosen) void navigate(path);
    });
  };
}
