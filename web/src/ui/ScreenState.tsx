import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { errorMessage } from '../platform/api/errors';
import { Alert } from './Alert';

/** What could not be loaded, and a button that asks again. */
export function LoadFailed({
  error,
  fallback,
  asking,
  onRetry,
}: {
  error: unknown;
  fallback: string;
  asking: boolean;
  onRetry: () => void;
}) {
  return (
    <Box sx={{ display: 'grid', gap: 4, mb: 5, justifyItems: 'start' }}>
      <Alert tone="error">{errorMessage(error, fallback)}</Alert>
      <Button variant="outlined" loading={asking} onClick={onRetry}>
        {t`Try again`}
      </Button>
    </Box>
  );
}

/** Stands for rows that are on their way. */
export function LoadingRows({ label, rows = 6 }: { label: string; rows?: number }) {
  return (
    <Box role="status" aria-busy="true" aria-label={label} sx={{ display: 'grid', gap: 4, py: 3 }}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={26} />
      ))}
    </Box>
  );
}

/** A button below a list that has more. */
export function ShowMore({
  label,
  loading,
  onClick,
}: {
  label?: string | undefined;
  loading: boolean;
  onClick: () => void;
}) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', mt: 5 }}>
      <Button variant="outlined" loading={loading} onClick={onClick}>
        {label ?? t({ context: 'lines of a list', message: 'Show more' })}
      </Button>
    </Box>
  );
}
