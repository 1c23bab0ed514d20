import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import '@fontsource-variable/familjen-grotesk/wght.css';
import '@fontsource-variable/instrument-sans/wght.css';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import rtlPlugin from '@mui/stylis-plugin-rtl';
import type { ReactNode } from 'react';
import { prefixer } from 'stylis';
import { languages } from '../../platform/i18n/languages';
import { useLocale } from '../../platform/i18n/useLocale';
import './fonts.css';
import './scripts.css';
import { theme } from './theme';

/** By the direction of the language: styles that name left and right are mirrored for languages from right to left. */
export const createLooks = () => ({
  ltr: { cache: createCache({ key: 'css' }), theme },
  rtl: {
    cache: createCache({ key: 'rtl', stylisPlugins: [prefixer, rtlPlugin] }),
    theme: { ...theme, direction: 'rtl' as const },
  },
});

const documentLooks = createLooks();

export function AfterglowTheme({
  looks = documentLooks,
  children,
}: {
  /** Those of the document, unless a page is rendered for itself. */
  looks?: ReturnType<typeof createLooks>;
  children: ReactNode;
}) {
  const locale = useLocale();
  const look = looks[languages.find(({ tag }) => tag === locale)?.direction ?? 'ltr'];
  return (
    <CacheProvider value={look.cache}>
      <ThemeProvider theme={look.theme} storageManager={null}>
        <CssBaseline enableColorScheme />
        {children}
      </ThemeProvider>
    </CacheProvider>
  );
}
