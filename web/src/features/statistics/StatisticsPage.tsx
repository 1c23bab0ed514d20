import { t } from '@lingui/core/macro';
import { EventScreen } from '../../shared/events/EventScreen';
import { EventStatistics } from './EventStatistics';

export default function StatisticsPage() {
  return (
    <EventScreen
      title={t`Statistics`}
      description={t`Choose the event in the bar above, or here, to see what guests did with it.`}
      forManagers
    >
      {(event) => <EventStatistics event={event} />}
    </EventScreen>
  );
}
