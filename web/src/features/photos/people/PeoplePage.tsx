import { t } from '@lingui/core/macro';
import { useSearchParams } from 'react-router';
import { EventScreen } from '../../../shared/events/EventScreen';
import { hiddenParameter, personParameter } from './address';
import { EventPeople } from './EventPeople';
import { PersonPhotos } from './PersonPhotos';

/** The people of an event, or the one whose id is in the address. */
export default function PeoplePage() {
  const [parameters] = useSearchParams();
  const person = parameters.get(personParameter);
  const hidden = parameters.get(hiddenParameter) === 'true';
  return (
    <EventScreen
      title={t`People`}
      description={t`Choose the event in the bar above, or here, to see who is in its photos.`}
      forManagers
    >
      {(event) =>
        person === null ? (
          <EventPeople key={String(hidden)} event={event} hidden={hidden} />
        ) : (
          <PersonPhotos key={person} event={event} personId={person} hidden={hidden} />
        )
      }
    </EventScreen>
  );
}
