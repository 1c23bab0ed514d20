import { useSearchParams } from 'react-router';
import { hiddenParameter, personParameter } from './address';
import { EventPeople } from './EventPeople';
import { PersonPhotos } from './PersonPhotos';

/** The people of an event, or the one whose id is in the address. */
export default function PeoplePage() {
  const [parameters] = useSearchParams();
  const person = parameters.get(personParameter);
  const hidden = parameters.get(hiddenParameter) === 'true';
  return person === null ? (
    <EventPeople key={String(hidden)} hidden={hidden} />
  ) : (
    <PersonPhotos key={person} personId={person} hidden={hidden} />
  );
}
