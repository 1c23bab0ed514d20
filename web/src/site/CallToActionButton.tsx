import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Link, type LinkProps } from 'react-router';
import { room } from '../ui/theme/tokens';

/** The primary action on dark surfaces: the accent colour in both themes. */
const AccentButton = styled(Button)({
  color: room.onLit,
  backgroundColor: room.lit,
  '&:hover': { backgroundColor: '#FF9769' },
  '&.Mui-focusVisible': { outlineColor: '#FFFFFF' },
}) as typeof Button;

export function CallToActionButton({ to, children }: Pick<LinkProps, 'to' | 'children'>) {
  return (
    <AccentButton component={Link} to={to} variant="contained" color="primary" size="large">
      {children}
    </AccentButton>
  );
}
