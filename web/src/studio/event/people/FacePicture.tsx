import Box from '@mui/material/Box';
import { useState } from 'react';
import { sameOrigin } from '../../../platform/api/links';
import { Icon } from '../../../ui/Icon';

/** A face as a disc; decorative, since nobody is named. */
export function FacePicture({ url, size }: { url: string | undefined; size: number }) {
  const [broken, setBroken] = useState<string | undefined>(undefined);
  return (
    <Box
      component="span"
      sx={(theme) => ({
        flex: 'none',
        display: 'grid',
        placeItems: 'center',
        width: size,
        height: size,
        borderRadius: '50%',
        overflow: 'hidden',
        color: theme.vars.palette.text.disabled,
        backgroundColor: theme.vars.palette.sunken,
      })}
    >
      {url === undefined || broken === url ? (
        <Icon name="user" size={size / 2.5} />
      ) : (
        <Box
          component="img"
          src={sameOrigin(url)}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(url)}
          sx={{ display: 'block', width: '100%', height: '100%', objectFit: 'cover' }}
        />
      )}
    </Box>
  );
}
