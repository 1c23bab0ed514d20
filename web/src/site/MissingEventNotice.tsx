import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Icon } from '../ui/Icon';
import { room } from '../ui/theme/tokens';

/** Tells a guest whose event link led to no event why they are on the landing page, and whom to ask. */
export function MissingEventNotice() {
  return (
    <Box sx={{ pt: 19, px: { xs: 5, md: 8 }, color: room.text, backgroundColor: room.ground }}>
      <Box
        role="alert"
        sx={{
          display: 'flex',
          gap: 3.5,
          maxWidth: 1216,
          mx: 'auto',
          p: { xs: 4, md: 5 },
          borderRadius: '16px',
          border: `1px solid ${room.lit}`,
          backgroundColor: '#171716',
          '& svg': { flex: 'none', mt: '2px', color: room.lit },
        }}
      >
        <Icon name="alert" size={24} />
        <div>
          <Typography variant="h3" component="p">
            {t`These photos are not here, or no longer here`}
          </Typography>
          <Typography sx={{ mt: 1.5, maxWidth: '64ch', color: room.text2 }}>
            {t`Check the link first: messages often cut off its end, so open it from where you got it, or scan the code once more. If it is whole, the photos may have been removed. Ask the photographer or the host who gave it to you.`}
          </Typography>
        </div>
      </Box>
    </Box>
  );
}
