import { styled } from '@mui/material/styles';
import { Icon } from '../../shared/components/Icon';
import { motion } from '../../shared/theme/tokens';

const Ring = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  borderRadius: '50%',
  color: theme.vars.palette.text.disabled,
  backgroundColor: theme.vars.palette.sunken,
  boxShadow: `0 0 0 2px ${theme.vars.palette.background.default}, 0 0 0 4px ${theme.vars.palette.primary.main}`,
  '& img': {
    position: 'absolute',
    inset: 0,
    width: '100%',
    height: '100%',
    borderRadius: '50%',
    objectFit: 'cover',
    objectPosition: '50% 25%',
  },
  '&[data-glowing=true]': {
    animation: `ring-glow ${motion.glow}ms ${motion.standard}`,
    '@keyframes ring-glow': {
      from: {
        boxShadow: '0 0 0 2px transparent, 0 0 0 14px transparent, 0 0 40px 12px rgb(255 127 71 / .55)',
      },
    },
  },
}));

/** The selfie with an accent ring; `size` in px. */
export function SelfiePreview({
  preview,
  size,
  glowing = false,
}: {
  preview: string | null;
  size: number;
  glowing?: boolean;
}) {
  return (
    <Ring data-glowing={glowing} style={{ width: size, height: size }}>
      {preview === null ? (
        <Icon name="user" size={Math.round(size / 2)} />
      ) : (
        <img src={preview} alt="Your selfie" width={size} height={size} />
      )}
    </Ring>
  );
}
