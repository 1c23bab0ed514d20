import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link, useLocation, useMatch } from 'react-router';
import type { BarTone } from '../../ui/barTone';
import { Icon } from '../../ui/Icon';
import { Logo } from '../../ui/Logo';
import { room } from '../../ui/theme/tokens';
import { useScrollState } from './useScrollState';

export interface BarLink {
  label: string;
  to: string;
  /** Whether the screen that is shown belongs to it, where that is more than its own path. */
  current?: boolean;
}

/** A link that says whether it leads to the screen that is shown. */
function CurrentLink({ link: { to, label, current }, ...props }: { link: BarLink } & { className?: string }) {
  const matches = useMatch({ path: to.split('?', 1)[0] ?? to, end: false }) !== null;
  return (
    <Link {...props} to={to} aria-current={(current ?? matches) ? 'page' : undefined}>
      {label}
    </Link>
  );
}

interface Background {
  tone: BarTone;
  /** A bar over an image is transparent until the page is scrolled. */
  transparent: boolean;
}

function BarNavLink({ link, onDark }: { link: BarLink; onDark: boolean }) {
  return (
    <Box
      component={CurrentLink}
      link={link}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        height: 64,
        mx: { md: 2, lg: 3.5 },
        fontSize: 15,
        fontWeight: 500,
        textDecoration: 'none',
        color: onDark ? '#D4D4D0' : theme.vars.palette.text.secondary,
        '&:hover': { color: onDark ? '#FFFFFF' : theme.vars.palette.text.primary },
        '&[aria-current=page]': {
          fontWeight: 600,
          color: onDark ? '#FFFFFF' : theme.vars.palette.text.primary,
          boxShadow: `inset 0 -2px 0 ${theme.vars.palette.primary.main}`,
        },
      })}
    />
  );
}

/** The links of a narrow bar as a dropdown menu. */
function CollapsedMenu({ id, links, children }: { id: string; links: BarLink[]; children: ReactNode }) {
  return (
    <Box
      id={id}
      sx={(theme) => ({
        position: 'absolute',
        top: '100%',
        right: { xs: 8, md: 24 },
        left: { xs: 8, md: 'auto' },
        minWidth: 260,
        p: 1.5,
        borderRadius: '14px',
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.raised,
        boxShadow: theme.vars.palette.shadow.menu,
      })}
    >
      {links.map((link) => (
        <Box
          key={link.to}
          component={CurrentLink}
          link={link}
          sx={(theme) => ({
            display: 'flex',
            alignItems: 'center',
            minHeight: 48,
            px: 3.5,
            borderRadius: '10px',
            fontWeight: 500,
            textDecoration: 'none',
            color: 'inherit',
            '&:hover': { backgroundColor: theme.vars.palette.hover },
            '&[aria-current=page]': { fontWeight: 600, color: theme.vars.palette.accentText },
          })}
        />
      ))}
      {children}
    </Box>
  );
}

const backgroundColorOf = ({ tone, transparent }: Background) =>
  transparent
    ? 'transparent'
    : tone === 'room'
      ? 'var(--mui-palette-room-ground)'
      : 'var(--mui-palette-background-paper)';

/** The app bar: logo, links on the left or right, tools, and a menu for the links on narrow screens. */
export function AppBar({
  tone,
  logoTarget,
  links,
  linksAtEnd = false,
  languageSwitch,
  tools,
  menuItems,
}: {
  tone: BarTone;
  logoTarget: string;
  links: BarLink[];
  linksAtEnd?: boolean;
  languageSwitch?: ReactNode;
  tools?: ReactNode;
  menuItems?: ReactNode;
}) {
  const { pathname } = useLocation();
  const scroll = useScrollState();
  // The menu belongs to the path it was opened on, so that navigating closes it.
  const [openOnPath, setOpenOnPath] = useState<string | null>(null);
  const open = openOnPath === pathname;
  const menuId = useId();
  useEffect(() => {
    if (!open) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOnPath(null);
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [open]);

  const overImage = tone === 'sky' || tone === 'room';
  const transparent = (overImage || tone === 'quiet') && !scroll.scrolled;
  const onDark = tone === 'room' || (transparent && overImage);
  const hidden = pathname === '/' && scroll.hidden && !open;
  // On the event page the links are always in the menu: the page is about the event.
  const collapse = tone === 'sky' || tone === 'quiet' ? 'always' : 'narrow';
  const wide = { xs: 'none', md: collapse === 'always' ? 'none' : 'flex' };
  const narrow = { md: collapse === 'always' ? 'inline-flex' : 'none' };

  return (
    <Box
      component="header"
      data-hidden={hidden}
      sx={(theme) => ({
        position: 'sticky',
        top: 0,
        zIndex: theme.zIndex.appBar,
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        height: 64,
        mb: tone === 'solid' || tone === 'quiet' ? 0 : '-64px',
        pl: { xs: 5, md: 8 },
        pr: { xs: 2, md: 8 },
        color: onDark ? room.text : theme.vars.palette.text.primary,
        // The colour of text on a ground of the bar's own text colour.
        '--bar-contrast': onDark ? room.ground : theme.vars.palette.ink.contrastText,
        backgroundColor: backgroundColorOf({ tone, transparent }),
        width: { md: tone === 'form' ? '50%' : 'auto' },
        borderBottom:
          onDark || transparent || tone === 'form' ? 0 : `1px solid ${theme.vars.palette.divider}`,
        transition: theme.transitions.create(['transform', 'background-color'], { duration: 200 }),
        transform: hidden ? 'translateY(-100%)' : 'none',
        visibility: hidden ? 'hidden' : 'visible',
      })}
    >
      <Box component={Link} to={logoTarget} sx={{ color: 'inherit', textDecoration: 'none', py: 2 }}>
        <Logo onDark={onDark} compact={tools !== undefined} />
      </Box>
      {linksAtEnd && <Box sx={{ flex: 1 }} />}
      {links.length > 0 && (
        <Box component="nav" aria-label={t`Main`} sx={{ display: wide, ml: linksAtEnd ? 0 : 7 }}>
          {links.map((link) => (
            <BarNavLink key={link.to} link={link} onDark={onDark} />
          ))}
        </Box>
      )}
      {!(linksAtEnd && collapse === 'narrow') && <Box sx={{ flex: 1 }} />}
      {languageSwitch}
      {tools}
      {links.length > 0 && (
        <ButtonBase
          aria-label={t`Menu`}
          aria-expanded={open}
          aria-controls={open ? menuId : undefined}
          onClick={() => setOpenOnPath(open ? null : pathname)}
          sx={(theme) => ({
            display: narrow,
            width: 44,
            height: 44,
            borderRadius: '10px',
            '&:hover': { backgroundColor: theme.vars.palette.hover },
            color:
              transparent && tone === 'sky'
                ? { xs: 'inherit', md: theme.vars.palette.text.primary }
                : 'inherit',
          })}
        >
          <Icon name={open ? 'close' : 'menu'} size={24} />
        </ButtonBase>
      )}
      {open && (
        <Box
          component="nav"
          aria-label={t`Menu`}
          sx={{ display: narrow.md === 'none' ? { md: 'none' } : 'block' }}
        >
          <CollapsedMenu id={menuId} links={links}>
            {menuItems}
          </CollapsedMenu>
        </Box>
      )}
    </Box>
  );
}
