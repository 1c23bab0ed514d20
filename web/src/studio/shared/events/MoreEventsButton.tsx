import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of events, while there is one. */
export function MoreEventsButton({ pages, onLoad }: { pages: Pages; onLoad: () => void }) {
  if (!pages.hasNextPage) return null;
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center' }}>
      <Button
        variant="outlined"
        loading={pages.isFetchingNextPage}
        onClick={() => {
          onLoad();
          void pages.fetchNextPage();
        }}
      >
        {t`Show more events`}
      </Button>
    </Box>
  );
}
