import { useEffect, useId, useState } from 'react';
import type { BarTone } from '../../shared/components/barTone';
import { Icon } from '../../shared/components/Icon';
import { Logo } from '../../shared/components/Logo';
import { useSession } from '../../shared/session/session';
import { useScrollState } from '../navigation/useScrollState';
import styles from './GuestBar.module.css';

interface BarLink {
  label: string;
  href: string;
}

const visitorLinks: BarLink[] = [
  { label: 'Pricing', href: '/pricing' },
  { label: 'Contact', href: '/contact' },
  { label: 'Login', href: '/login' },
  { label: 'Register', href: '/register' },
];
const photographerLinks: BarLink[] = [
  { label: 'Dashboard', href: '/admin/overview' },
  { label: 'Events', href: '/admin/events' },
  { label: 'Upload', href: '/admin/upload' },
  { label: 'Gallery', href: '/admin/gallery' },
];
const homeLink: BarLink[] = [{ label: 'Home', href: '/' }];

/** Where the logo leads, and what the menu has. */
function useTargets(): { home: string; links: BarLink[] } {
  const session = useSession();
  if (session.isPhotographer) return { home: '/admin/overview', links: photographerLinks };
  return { home: '/', links: session.token === null ? visitorLinks : homeLink };
}

/** The bar of an event's page: the page is about the event, so that all links are in the menu. */
export function GuestBar({ tone }: { tone: BarTone }) {
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
        Skip to content
      </a>
      <header className={styles['bar']} data-tone={tone} data-scrolled={scrolled}>
        <a className={styles['home']} href={home}>
          <Logo onDark={tone === 'sky' && !scrolled} />
        </a>
        <div className={styles['space']} />
        <button
          type="button"
          className={styles['toggle']}
          aria-label="Menu"
          aria-expanded={open}
          aria-controls={open ? menuId : undefined}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'close' : 'menu'} size={24} />
        </button>
        {open && (
          <nav id={menuId} className={styles['menu']} aria-label="Menu">
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
