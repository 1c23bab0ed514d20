import { t } from '@lingui/core/macro';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import type { BarTone } from '../../ui/barTone';
import { LanguageSwitch } from '../../ui/LanguageSwitch';
import { useLocale } from '../../platform/i18n/useLocale';
import { useSession } from '../../platform/session/session';
import { chooseSectionLanguage } from '../language';
import { sectionOf } from '../sections';
import { AppBar, type BarLink } from './AppBar';

// Admin code must not be part of a guest's initial load.
export const loadPhotographerBar = () => import('./PhotographerBar');
const PhotographerBar = lazy(loadPhotographerBar);

const visitorLinks = (): BarLink[] => [
  { label: t`Pricing`, to: '/pricing' },
  { label: t`Contact`, to: '/contact' },
  { label: t`Login`, to: '/login' },
  { label: t`Register`, to: '/register' },
];
const homeLink = (): BarLink[] => [{ label: t`Home`, to: '/' }];

/** The navigation bar in its variants: photographer, visitor, other accounts (Home only) and `minimal` (logo only). */
export function NavigationBar({ tone, minimal = false }: { tone: BarTone; minimal?: boolean }) {
  useLocale();
  const session = useSession();
  const { pathname } = useLocation();
  if (session.isPhotographer) {
    const loading = <AppBar tone={tone} logoTarget="/admin/overview" links={[]} />;
    if (minimal) return loading;
    return (
      <Suspense fallback={loading}>
        <PhotographerBar tone={tone} session={session} />
      </Suspense>
    );
  }
  const logoTarget = sectionOf(pathname) === 'admin' ? '/login' : '/';
  const links = minimal ? [] : session.token === null ? visitorLinks() : homeLink();
  return (
    <AppBar
      tone={tone}
      logoTarget={logoTarget}
      links={links}
      linksAtEnd
      languageSwitch={minimal ? undefined : <LanguageSwitch choose={chooseSectionLanguage('public')} />}
    />
  );
}
