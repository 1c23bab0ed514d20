import { t } from '@lingui/core/macro';
import { EventScreen } from '../../../shared/events/EventScreen';
import { EventTrash } from './EventTrash';

export default function TrashPage() {
  return (
    <EventScreen
      title={t`Trash`}
      description={t`Choose the event in the bar above, or here, to see its deleted photos.`}
    >
      {(event) => <EventTrash key={event.id} event={event} />}
    </EventScreen>
  );
}
