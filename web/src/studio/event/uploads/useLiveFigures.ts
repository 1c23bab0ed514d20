import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { creditsKey } from '../../shared/credits/credits';
import { eventsKey } from '../../shared/events/events';

const refreshInterval = 5000;

/** Refreshes credits and events, which every upload changes, while `uploading`. */
export function useLiveFigures(uploading: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!uploading) return undefined;
    const refresh = () => {
      for (const queryKey of [creditsKey, eventsKey]) void client.invalidateQueries({ queryKey });
    };
    const timer = setInterval(refresh, refreshInterval);
    return () => clearInterval(timer);
  }, [client, uploading]);
}
