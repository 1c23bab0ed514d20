import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { sameOrigin } from '../platform/api/links';
import type { PublicEvent } from '../platform/api/types';
import { Sky } from '../ui/Sky';
import { formatLongDate } from '../platform/formats';
import { Button } from './Button';
import styles from './Cover.module.css';
import { StudioLinks } from './Studio';

/** The server has the same for the document (`api/events/opening.rs`). */
const lengthOf = (name: string) => (name.length > 80 ? 'longest' : name.length > 34 ? 'long' : 'short');

const longDescription = 140;

function Description({ text }: { text: string }) {
  const long = text.length > longDescription;
  const [open, setOpen] = useState(!long);
  return (
    <>
      <p className={styles['description']} data-open={open}>
        <bdi>{text}</bdi>
      </p>
      {long && (
        <Button className={styles['more']} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t`Show less` : t`Read more`}
        </Button>
      )}
    </>
  );
}

/** The photo that the photographer has chosen, over the sky until it is there. */
function Photo({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return null;
  return (
    <img
      className={styles['photo']}
      src={sameOrigin(url)}
      alt=""
      decoding="async"
      fetchPriority="high"
      draggable={false}
      onError={() => setFailed(true)}
    />
  );
}

/** The event's photo, or generated sky, with its name, date and description. */
export function Cover({ event }: { event: PublicEvent }) {
  const { slug, name, date, description, cover_url: photo, studio } = event;
  return (
    <>
      <div className={styles['sky']} data-photo={!!photo}>
        <Sky slug={slug} eager />
        {photo && <Photo key={photo} url={photo} />}
      </div>
      <div className={styles['words']}>
        <p className={styles['date']}>{formatLongDate(date)}</p>
        <h1 className={styles['name']} data-length={lengthOf(name)}>
          <bdi>{name}</bdi>
        </h1>
        {description && <Description text={description} />}
        {studio && <StudioLinks studio={studio} />}
      </div>
    </>
  );
}
