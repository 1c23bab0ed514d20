import { t } from '@lingui/core/macro';
import type { Event } from '../../shared/api/types';
import { EventSwitch } from './EventSwitch';

/** Whether guests of an event can write to its photographer. */
export function QuestionsSwitch({ event }: { event: Event }) {
  return (
    <EventSwitch
      event={event}
      label={t`Guests can ask me about photos`}
      checked={event.takes_questions}
      change={(takes_questions) => ({ takes_questions })}
      saved={({ takes_questions }) => ({ takes_questions })}
      chosen={({ takes_questions }) => takes_questions === true}
    />
  );
}
