import { t } from '@lingui/core/macro';
import { styled } from '@mui/material/styles';
import { Link } from 'react-router';
import { Logo } from '../ui/Logo';
import { room } from '../ui/theme/tokens';

const links = () => [
  { to: '/pricing', label: t`Pricing` },
  { to: '/contact', label: t`Contact` },
  { to: '/privacy', label: t`Privacy` },
  { to: '/terms', label: t`Terms` },
  { to: '/cancellation-refunds', label: t`Cancellation and refunds` },
  { to: '/shipping', label: t`Shipping` },
];

const Root = styled('footer')(({ theme }) => ({
  padding: '28px 20px',
  fontSize: 14,
  color: '#B6B6B1',
  backgroundColor: room.ground,
  '& > div': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: 24,
    maxWidth: 1216,
    margin: '0 auto',
  },
  '& nav': { display: 'flex', flexWrap: 'wrap', columnGap: 24 },
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: 44,
    color: 'inherit',
    textDecoration: 'none',
  },
  '& a:hover': { color: '#FFFFFF' },
  '& a:focus-visible': { outlineColor: '#FFFFFF' },
  [theme.breakpoints.up('md')]: { padding: '28px 32px', '& nav': { marginLeft: 'auto' } },
}));

export function Footer() {
  return (
    <Root>
      <div>
        <Link to="/">
          <Logo onDark />
        </Link>
        <nav aria-label={t`Site`}>
          {links().map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </nav>
      </div>
    </Root>
  );
}
