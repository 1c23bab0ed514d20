import { t } from '@lingui/core/macro';
import { EventScreen } from '../../shared/events/EventScreen';
import { EventTeam } from './EventTeam';

export default function TeamPage() {
  return (
    <EventScreen
      title={t`Team`}
      description={t`Choose the event in the bar above, or here, to see who works on it.`}
      forManagers
    >
      {(event) => <EventTeam event={event} />}
    </EventScreen>
  );
}
