import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Studio } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { darkColors, lightColors } from '../../ui/theme/tokens';
import { accentQuery } from '../shared/brand/studio';

type Accent = NonNullable<Studio['accent']>;

/** How long a colour has to stay before it is asked for: choosers tell each that the pointer moves over. */
const pause = 200;

const isColor = (text: string) => /^#[\da-f]{6}$/i.test(text);

/** The colour that is entered, once it stays for a moment; null while it is none. */
function useSettled(entered: string): string | null {
  const color = isColor(entered.trim()) ? entered.trim().toLowerCase() : null;
  const [settled, settle] = useState(color);
  useEffect(() => {
    const timer = setTimeout(() => settle(color), pause);
    return () => clearTimeout(timer);
  }, [color]);
  return color === null ? null : settled;
}

function Sample({ text, surface, ink, accent, theme }: Theme & { accent: Accent }) {
  const { background, label } = accent[theme];
  const asChosen = background === accent.color;
  return (
    <Box
      sx={{
        flex: '1 1 220px',
        display: 'grid',
        gap: 2.5,
        justifyItems: 'start',
        alignContent: 'start',
        p: 4,
      }}
      style={{ backgroundColor: surface, color: ink }}
    >
      <Box sx={{ fontSize: 14, fontWeight: 600 }}>{text}</Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        {!asChosen && (
          <Box
            component="span"
            role="img"
            aria-label={t`Chosen: ${{ color: accent.color }}`}
            sx={{ width: 44, height: 44, borderRadius: '10px' }}
            style={{ backgroundColor: accent.color }}
          />
        )}
        <Box
          component="span"
          sx={{ px: 4, py: 2.5, borderRadius: '10px', fontWeight: 600 }}
          style={{ backgroundColor: background, color: label }}
        >
          {t`Take a selfie`}
        </Box>
      </Box>
      <Box sx={{ fontSize: 14 }}>
        {asChosen ? t`As chosen` : t`The nearest that can be seen here: ${{ color: background }}`}
      </Box>
    </Box>
  );
}

interface Theme {
  theme: 'light' | 'dark';
  text: string;
  surface: string;
  ink: string;
}

/** The main button as guests would see it, in both themes, before the colour is saved. */
export function AccentPreview({ entered }: { entered: string }) {
  const color = useSettled(entered);
  const shown = useQuery({
    ...accentQuery(color ?? ''),
    enabled: color !== null,
    placeholderData: keepPreviousData,
  });
  if (color === null) return null;
  if (shown.isError) return <Alert tone="error">{shown.error.message}</Alert>;
  const themes: Theme[] = [
    { theme: 'light', text: t`Light theme`, surface: lightColors.surface, ink: lightColors.ink },
    { theme: 'dark', text: t`Dark theme`, surface: darkColors.surface, ink: darkColors.ink },
  ];
  return (
    <Box
      role="group"
      aria-label={t`Preview of the colour`}
      aria-busy={shown.isFetching}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        borderRadius: '16px',
        overflow: 'hidden',
        border: 1,
        borderColor: 'divider',
        minHeight: 148,
      }}
    >
      {shown.data !== undefined &&
        themes.map((each) => <Sample key={each.theme} {...each} accent={shown.data} />)}
    </Box>
  );
}
