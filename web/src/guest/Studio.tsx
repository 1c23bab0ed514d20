import { useLayoutEffect } from 'react';
import type { Studio } from '../platform/api/types';
import styles from './Studio.module.css';

/** Gives the page's main buttons the studio's colours, which the server has made readable. */
export function useAccent(accent: Studio['accent']): void {
  const { light, dark } = accent ?? {};
  const colors = [light?.background, light?.label, dark?.background, dark?.label].join();
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const names = ['light', 'light-label', 'dark', 'dark-label'].map((name) => `--studio-${name}`);
    const values = colors.split(',');
    names.forEach((name, at) => style.setProperty(name, values[at] ?? ''));
    return () => names.forEach((name) => style.removeProperty(name));
  }, [colors]);
}

const hostOf = (website: string) => new URL(website).hostname.replace(/^www\./, '');

/** Who took the photos, and where to find them; their logo is in the bar. */
export function StudioLinks({ studio: { name, website, instagram, contact } }: { studio: Studio }) {
  const links = [
    website != null && { text: hostOf(website), url: website },
    instagram != null && { text: `@${instagram}`, url: `https://www.instagram.com/${instagram}/` },
    contact != null && contact,
  ].filter((link) => link !== false);
  return (
    <div className={styles['studio']}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {links.map(({ text, url }) => (
        <a key={url} href={url} {...(url.startsWith('https:') && { target: '_blank', rel: 'noopener' })}>
          <bdi>{text}</bdi>
        </a>
      ))}
    </div>
  );
}
