import Box from '@mui/material/Box';
import type { MouseEventHandler } from 'react';
import { Link } from 'react-router';
import { Icon, type IconName } from './Icon';

/** A link with an icon, a label and a hint. The primary one has the accent colour. */
export function ActionLink({
  to,
  icon,
  label,
  hint,
  primary = false,
  onClick,
  reloadDocument = false,
}: {
  to: string;
  icon: IconName;
  label: string;
  hint: string;
  primary?: boolean;
  onClick?: MouseEventHandler;
  /** Loads another document. */
  reloadDocument?: boolean;
}) {
  return (
    <Box
      component={Link}
      to={to}
      onClick={onClick}
      reloadDocument={reloadDocument}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 3.5,
        p: '13px 12px',
        borderRadius: '12px',
        color: theme.vars.palette.text.primary,
        textDecoration: 'none',
        '&:hover': { backgroundColor: theme.vars.palette.hover },
      })}
    >
      <Box
        component="span"
        sx={(theme) => ({
          flex: 'none',
          display: 'grid',
          placeItems: 'center',
          width: 44,
          height: 44,
          borderRadius: '12px',
          color: primary ? theme.vars.palette.primary.contrastText : theme.vars.palette.text.primary,
          backgroundColor: primary ? theme.vars.palette.primary.main : theme.vars.palette.sunken,
        })}
      >
        <Icon name={icon} size={24} />
      </Box>
      <Box component="span" sx={{ minWidth: 0 }}>
        <Box component="b" sx={{ display: 'block', fontSize: 15, lineHeight: 1.3, fontWeight: 600 }}>
          {label}
        </Box>
        <Box component="span" sx={{ fontSize: 13, color: 'text.disabled' }}>
          {hint}
        </Box>
      </Box>
    </Box>
  );
}
