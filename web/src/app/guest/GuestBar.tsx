import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect, useId, useState } from 'react';
import type { Studio } from '../../platform/api/types';
import type { BarTone } from '../../ui/barTone';
import { Icon } from '../../ui/Icon';
import { LanguageSwitch } from '../../ui/LanguageSwitch';
import { Logo } from '../../ui/Logo';
import { useSession } from '../../platform/session/session';
import { Imported } from '../../guest/Imported';
import { useScrollState } from '../navigation/useScrollState';
import styles from './GuestBar.module.css';
import { chooseGuestLanguage } from './chooseLanguage';
import type { MarkProps } from './StudioMark';

const importMenu = () => import('./GuestMenu');
const importMark = () => import('./StudioMark');

/** The bar of an event's page: the page is about the event, so that all links are in the menu. */
export function GuestBar({
  tone,
  studio,
  maker,
  onLanguage,
}: {
  tone: BarTone;
  /** Who took the photos. */
  studio: Studio | null | undefined;
  /** On the page of a studio with a logo, which has nothing for other photographers: what the service is called, if anything. */
  maker: string | null | undefined;
  /** The page speaks another language from now on. */
  onLanguage: (tag: string) => void;
}) {
  const { scrolled } = useScrollState();
  const onDark = tone === 'sky' && !scrolled;
  const { isPhotographer } = useSession();
  const [open, setOpen] = useState(false);
  const menuId = useId();
  const [StudioMark, setStudioMark] = useState<ComponentType<MarkProps> | null>(null);
  useEffect(() => {
    // After the first paint, and before the network may be lost; a failure is said when the menu is opened. The cover names
    // the studio too.
    const timer = setTimeout(() => {
      void importMenu().catch(() => undefined);
      if (studio)
        importMark().then(
          ({ default: mark }) => setStudioMark(() => mark),
          () => undefined,
        );
    });
    return () => clearTimeout(timer);
  }, [studio]);
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
        {(maker == null || isPhotographer) && (
          <a className={styles['home']} href={isPhotographer ? '/admin/overview' : '/'}>
            <Logo onDark={onDark} compact={!!studio} />
          </a>
        )}
        {studio && StudioMark && <StudioMark studio={studio} onDark={onDark} />}
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
            <Imported from={importMenu} props={{ maker, onClose: () => setOpen(false) }} />
          </nav>
        )}
      </header>
    </>
  );
}
