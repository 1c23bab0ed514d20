import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Alert } from '../../ui/Alert';
import { saveBlob } from '../../ui/saveFile';
import { fetchReceipt } from './history';

/** The receipt of a payment, to be printed or saved. */
export function ReceiptDialog({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const receipt = useQuery({
    queryKey: ['receipt', paymentId],
    queryFn: ({ signal }) => fetchReceipt(paymentId, signal),
    // A refund changes a receipt.
    gcTime: 0,
  });
  const page = receipt.data;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="receipt-title">
      <DialogTitle id="receipt-title">{t`Receipt`}</DialogTitle>
      <DialogContent>
        {receipt.isPending && (
          <Box sx={{ display: 'grid', placeItems: 'center', minHeight: 240 }}>
            <CircularProgress aria-label={t`Loading the receipt`} />
          </Box>
        )}
        {receipt.isError && (
          <Alert tone="error">
            {receipt.error.message}
            <Button
              size="small"
              variant="outlined"
              sx={{ ml: 3 }}
              loading={receipt.isFetching}
              onClick={() => void receipt.refetch()}
            >
              {t`Try again`}
            </Button>
          </Alert>
        )}
        {page !== undefined && (
          <Box
            component="iframe"
            ref={frame}
            title={t`Receipt ${paymentId}`}
            srcDoc={page}
            // No scripts; the parent page prints it.
            sandbox="allow-same-origin allow-modals"
            sx={{
              display: 'block',
              width: '100%',
              height: '60vh',
              minHeight: 320,
              border: 1,
              borderColor: 'divider',
              borderRadius: '10px',
              backgroundColor: 'common.white',
              colorScheme: 'light',
            }}
          />
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button
          variant="outlined"
          disabled={page === undefined}
          onClick={() => {
            if (page !== undefined)
              saveBlob(new Blob([page], { type: 'text/html;charset=utf-8' }), `receipt-${paymentId}.html`);
          }}
        >
          {t`Save`}
        </Button>
        <Button
          variant="contained"
          disabled={page === undefined}
          onClick={() => frame.current?.contentWindow?.print()}
        >
          {t`Print`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
