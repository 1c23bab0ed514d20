import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import type { Studio } from '../../platform/api/types';
import { darkColors, lightColors } from '../../ui/theme/tokens';

/** The main button as guests see it in one of the themes. */
function ButtonSample({ theme, shade }: { theme: string; shade: { background: string; label: string } }) {
  return (
    <Box
      component="span"
      sx={{ px: { xs: 3, sm: 5 }, py: 2.5, borderRadius: '10px', fontWeight: 600, whiteSpace: 'nowrap' }}
      style={{ backgroundColor: shade.background, color: shade.label }}
    >
      {theme}
    </Box>
  );
}

/** What guests see of a studio. */
export function StudioPreview({ studio: { accent, website, instagram, contact } }: { studio: Studio }) {
  const design = {
    light: { background: lightColors.accent, label: lightColors.onAccent },
    dark: { background: darkColors.accent, label: darkColors.onAccent },
  };
  const { light, dark } = accent ?? design;
  const lines = [website, instagram == null ? null : `@${instagram}`, contact?.text];
  return (
    <>
      {lines.map((line) => line != null && <div key={line}>{line}</div>)}
      <Box
        sx={{
          display: 'flex',
          mt: 3,
          borderRadius: '16px',
          overflow: 'hidden',
          border: 1,
          borderColor: 'divider',
        }}
      >
        {[
          { text: t`Light theme`, surface: lightColors.surface, shade: light },
          { text: t`Dark theme`, surface: darkColors.surface, shade: dark },
        ].map(({ text, surface, shade }) => (
          <Box
            key={text}
            sx={{ flex: 1, display: 'grid', placeItems: 'center', p: 4 }}
            style={{ backgroundColor: surface }}
          >
            <ButtonSample theme={text} shade={shade} />
          </Box>
        ))}
      </Box>
    </>
  );
}
