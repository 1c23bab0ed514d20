import { t } from '@lingui/core/macro';
import { Button } from '../Button';
import type { Album } from '../search/matches';
import styles from './ActionRow.module.css';

/** Whether the photos of one album are shown or all. */
export function AlbumSwitch({
  albums,
  value,
  onChange,
}: {
  /** Those that the photos are in. */
  albums: readonly Album[];
  value: string | null;
  onChange: (album: string | null) => void;
}) {
  if (albums.length === 0) return null;
  const shown = albums.some(({ id }) => id === value) ? value : null;
  return (
    <div className={styles['group']} role="group" aria-label={t`Albums`}>
      {[{ id: null, name: t`All` }, ...albums].map(({ id, name }) => (
        <Button
          key={id}
          look={id === shown ? 'filled' : 'outlined'}
          size="pill"
          aria-pressed={id === shown}
          onClick={() => onChange(id)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
