import type { Studio } from '../../platform/api/types';
import styles from './StudioMark.module.css';

export interface MarkProps {
  studio: Studio;
  /** It lies on a cover, which is dark in both themes. */
  onDark: boolean;
}

/** Whose photos they are: the logo of the studio, or its name without one. */
export default function StudioMark({ studio: { name, logo, dark_logo: darkLogo }, onDark }: MarkProps) {
  const [light, dark] = [logo ?? darkLogo, darkLogo ?? logo];
  if (light == null || dark == null) return <bdi className={styles['mark']}>{name}</bdi>;
  return (
    <picture className={styles['logo']} data-on-dark={onDark}>
      <source media={onDark ? 'all' : '(prefers-color-scheme: dark)'} srcSet={dark.url} />
      <img
        className={styles['mark']}
        src={light.url}
        alt={name}
        decoding="async"
        data-light={logo == null ? 'bare' : 'plate'}
        data-dark={darkLogo == null ? 'plate' : 'bare'}
      />
    </picture>
  );
}
