import { t } from '@lingui/core/macro';
import { useEffect, useId, useState } from 'react';
import type { BarTone } from '../../shared/components/barTone';
import { Icon } from '../../shared/components/Icon';
import { LanguageSwitch } from '../../shared/components/LanguageSwitch';
import { Logo } from '../../shared/components/Logo';
import { useSession } from '../../shared/session/session';
import { useScrollState } from '../navigation/useScrollState';
import styles from './GuestBar.module.css';
import { chooseGuestLanguage } from './language';

interface BarLink {
  label: string;
  href: string;
}

const visitorLinks = (): BarLink[] => [
  { label: t`Pricing`, href: '/pricing' },
  { label: t`Contact`, href: '/contact' },
  { label: t`Login`, href: '/login' },
  { label: t`Register`, href: '/register' },
];
const photographerLinks = (): BarLink[] => [
  { label: t`Dashboard`, href: '/admin/overview' },
  { label: t`Events`, href: '/admin/events' },
  { label: t`Upload`, href: '/admin/upload' },
  { label: t`Gallery`, href: '/admin/gallery' },
];
const homeLink = (): BarLink[] => [{ label: t`Home`, href: '/' }];

/** Where the logo leads, and what the menu has. */
function useTargets(): { home: string; links: BarLink[] } {
  const session = useSession();
  if (session.isPhotographer) return { home: '/admin/overview', links: photographerLinks() };
  return { home: '/', links: session.token === null ? visitorLinks() : homeLink() };
}

/** The bar of an event's page: the page is about the event, so that all links are in the menu. */
export function GuestBar({
  tone,
  onLanguage,
}: {
  tone: BarTone;
  /** The page speaks another language from now on. */
  onLanguage: (tag: string) => void;
}) {
  const { scrolled } = useScrollState();
  const { home, links } = useTargets();
  const [open, setOpen] = useState(false);
  const menuId = useId();
  useEffect(() => {
    if (!open) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [open]);
  return (
    <>
      <a
        className={styles['skip']}
        href="#main"
        onClick={(event) => {
          // A fragment in the address would be an entry of the history, as of a phase that the guest can leave.
          event.preventDefault();
          const main = document.getElementById('main');
          main?.setAttribute('tabindex', '-1');
          main?.focus();
        }}
      >
        {t`Skip to content`}
      </a>
      <header className={styles['bar']} data-tone={tone} data-scrolled={scrolled}>
        <a className={styles['home']} href={home}>
          <Logo onDark={tone === 'sky' && !scrolled} />
        </a>
        <div className={styles['space']} />
        <LanguageSwitch choose={chooseGuestLanguage} onChange={onLanguage} />
        <button
          type="button"
          className={styles['toggle']}
          aria-label={t`Menu`}
          aria-expanded={open}
          aria-controls={open ? menuId : undefined}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} size={24} />
        </button>
        {open && (
          <nav id={menuId} className={styles['menu']} aria-label={t`Menu`}>
            {links.map(({ label, href }) => (
              <a key={href} href={href}>
                {label}
              </a>
            ))}
          </nav>
        )}
      </header>
    </>
  );
}
