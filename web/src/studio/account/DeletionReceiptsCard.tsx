import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { Alert } from '../../ui/Alert';
import { saveBlob } from '../../ui/saveFile';
import { deletionReceiptsQuery } from './account';
import { ListRow } from './ListRow';

type DeletionReceipt = components['schemas']['DeletionReceiptBody'];

const save = ({ id, document }: DeletionReceipt) =>
  saveBlob(new Blob([document], { type: 'application/json' }), `deletion-receipt-${id}.json`);

/** The signed receipts of events that were removed for good; nothing where there are none. */
export function DeletionReceiptsCard() {
  const titleId = useId();
  const receipts = useQuery(deletionReceiptsQuery());
  const listed = receipts.data?.receipts ?? [];
  if (listed.length === 0 && !receipts.isError) return null;
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Typography variant="h3" component="h2" id={titleId}>
        {t`Receipts of deletions`}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
        {t`What was removed, when, and until when backups hold copies. They are signed, so that you can show that it was done.`}
      </Typography>
      {receipts.isError && (
        <Box sx={{ mt: 4 }}>
          <Alert tone="error">{errorMessage(receipts.error, t`The receipts could not be loaded.`)}</Alert>
        </Box>
      )}
      <Box component="ul" aria-labelledby={titleId} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {listed.map((receipt) => (
          <ListRow
            key={receipt.id}
            name={receipt.event_name}
            action={{ label: t`Save receipt`, onClick: () => save(receipt) }}
          >
            <Typography variant="body2" color="textSecondary">
              {removedText(receipt)}
            </Typography>
          </ListRow>
        ))}
      </Box>
    </Card>
  );
}

function removedText({ photos, completed_at }: DeletionReceipt): string {
  const date = i18n.date(new Date(completed_at), { dateStyle: 'medium' });
  return plural(photos, { one: `# photo, removed on ${date}`, other: `# photos, removed on ${date}` });
}
