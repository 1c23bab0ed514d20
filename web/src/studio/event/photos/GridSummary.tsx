import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

/** How many photos the grid shows, and what shows others. */
export const GridSummary = ({
  text,
  action,
  onAction,
}: {
  text: string;
  action: string;
  onAction: () => void;
}) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, mt: -2, mb: 2 }}>
    <Box role="status" sx={{ fontSize: 14, color: 'text.secondary', minHeight: 20 }}>
      {text}
    </Box>
    <Button size="small" onClick={onAction}>
      {action}
    </Button>
  </Box>
);
