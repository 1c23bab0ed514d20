import type { Studio } from '../../platform/api/types';
import styles from './StudioMark.module.css';

/** Whose photos they are: the logo of the studio, or its name without one. */
export default function StudioMark({ studio: { name, logo } }: { studio: Studio }) {
  if (logo == null) return <bdi className={styles['mark']}>{name}</bdi>;
  return <img className={styles['mark']} src={logo.url} alt={name} decoding="async" />;
}
