import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface RowAction {
  label: string;
  color?: 'error';
  loading?: boolean;
  onClick: () => void;
}

/** A row of a list in a card: a name, what is said of it, and a button that is named after both. */
export function ListRow({
  name,
  beside,
  action,
  children,
}: {
  name: string;
  beside?: ReactNode;
  action: RowAction | null;
  children: ReactNode;
}) {
  const nameId = useId();
  const buttonId = useId();
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 4,
        mt: 4,
        pt: 4,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography id={nameId} sx={{ fontWeight: 600 }}>
            {name}
          </Typography>
          {beside}
        </Box>
        {children}
      </Box>
      {action !== null && (
        <Button
          id={buttonId}
          variant="text"
          color={action.color}
          loading={action.loading}
          aria-labelledby={`${buttonId} ${nameId}`}
          onClick={action.onClick}
        >
          {action.label}
        </Button>
      )}
    </Box>
  );
}
