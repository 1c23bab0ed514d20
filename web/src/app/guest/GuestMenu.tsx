import { t } from '@lingui/core/macro';
import { useMenuEntries } from '../../guest/menuEntries';
import { useHistoryLayer } from '../../guest/useHistoryLayer';
import { useSession } from '../../platform/session/session';
import styles from './GuestMenu.module.css';

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

/** The menu of an event's page: what guests can do here, and then the links of every page. */
export default function GuestMenu({
  maker,
  onClose,
}: {
  maker: string | null | undefined;
  onClose: () => void;
}) {
  const { isPhotographer, token } = useSession();
  useHistoryLayer(true, onClose);
  const entries = useMenuEntries();
  const visitors = maker == null ? visitorLinks() : [];
  const links = isPhotographer ? photographerLinks() : token === null ? visitors : homeLink();
  return (
    <div className={styles['menu']}>
      {entries.map(({ label, run }) => (
        <button
          key={label}
          type="button"
          onClick={() => {
            onClose();
            run();
          }}
        >
          {label}
        </button>
      ))}
      {entries.length > 0 && links.length > 0 && <hr />}
      {links.map(({ label, href }) => (
        <a key={href} href={href}>
          {label}
        </a>
      ))}
      {maker && (
        <a className={styles['maker']} href="/">
          {t`with ${maker}`}
        </a>
      )}
    </div>
  );
}
