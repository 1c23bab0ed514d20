import { plural, t } from '@lingui/core/macro';
import { createShareHandler } from '../../ui/createShareHandler';
import { Icon } from '../../ui/Icon';
import { Button } from '../Button';
import type { Group } from './groups';
import styles from './ShareResults.module.css';

/** What is said of the photos, by whose they are. */
function wordsFor(group: Group, count: number, eventName: string): string {
  switch (group) {
    case 'me':
      return plural(count, {
        one: `# photo of me from ${eventName}`,
        other: `# photos of me from ${eventName}`,
      });
    case 'friend':
      return plural(count, {
        one: `# photo of you from ${eventName}`,
        other: `# photos of you from ${eventName}`,
      });
    case 'both':
    case 'either':
      return plural(count, {
        one: `# photo of us from ${eventName}`,
        other: `# photos of us from ${eventName}`,
      });
  }
}

/**
 * Tells friends of the event: by the system's sheet, by WhatsApp where there is none. The link is the event's, so that whoever
 * gets it searches for photos of their own, and is asked for the PIN.
 */
export function ShareResults({
  slug,
  eventName,
  group,
  count,
}: {
  slug: string;
  eventName: string;
  group: Group;
  count: number;
}) {
  if (count === 0) return null;
  const text = wordsFor(group, count, eventName);
  const url = `${window.location.origin}/event/${encodeURIComponent(slug)}`;
  const share = createShareHandler({ title: eventName, text, url });
  if (share !== null) {
    return (
      <Button look="outlined" onClick={share}>
        <Icon name="share" size={20} />
        {t`Tell friends`}
      </Button>
    );
  }
  return (
    <a
      className={styles['link']}
      href={`https://wa.me/?text=${encodeURIComponent(`${text}\n${url}`)}`}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="share" size={20} />
      {t`Tell friends on WhatsApp`}
    </a>
  );
}
