import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Link, type LinkProps } from 'react-router';
import { room } from '../../shared/theme/tokens';

/** The one action on the dark room: ember in both themes. */
const Lit = styled(Button)({
  color: room.onLit,
  backgroundColor: room.lit,
  '&:hover': { backgroundColor: '#FF9769' },
  '&.Mui-focusVisible': { outlineColor: '#FFFFFF' },
}) as typeof Button;

export function LitButton({ to, children }: Pick<LinkProps, 'to' | 'children'>) {
  return (
    <Lit component={Link} to={to} variant="contained" color="primary" size="large">
      {children}
    </Lit>
  );
}
