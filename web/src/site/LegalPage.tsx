import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useDocumentTitle } from '../ui/useDocumentTitle';
import { english } from '../platform/i18n/languages';
import { FullWidthMain } from './PageSection';
import { Footer } from './Footer';

const Text = styled('article')(({ theme }) => ({
  maxWidth: 720 + 64,
  margin: '0 auto',
  padding: '40px 20px 72px',
  '& h2': { ...theme.typography.h2, margin: '44px 0 12px' },
  '& h3': { ...theme.typography.h3, margin: '28px 0 8px' },
  '& p, & li': { maxWidth: '68ch', color: theme.vars.palette.text.secondary },
  '& p': { margin: '0 0 14px' },
  '& ul': { display: 'grid', gap: 8, margin: '0 0 14px', paddingLeft: 20 },
  '& strong': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& table': { width: '100%', maxWidth: '68ch', margin: '4px 0 18px', borderCollapse: 'collapse' },
  '& th, & td': {
    padding: '12px 12px 12px 0',
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    textAlign: 'left',
    fontVariantNumeric: 'tabular-nums',
  },
  '& th': { fontWeight: 600 },
  '& td': { color: theme.vars.palette.text.secondary },
  [theme.breakpoints.up('md')]: { padding: '72px 32px 104px' },
}));

const longDate = { year: 'numeric', month: 'long', day: 'numeric' } as const;

/** 'November 20, 2026' in English, as the language writes it in others. */
const formatUpdate = (date: Date): string =>
  i18n.locale === english.tag
    ? new Intl.DateTimeFormat('en-US', longDate).format(date)
    : i18n.date(date, longDate);

/** A legal page: title, today as the date of the last update, and text. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  const [now] = useState(() => new Date());
  const today = formatUpdate(now);
  return (
    <>
      <FullWidthMain id="main">
        <Text>
          <Typography variant="h1" sx={{ fontSize: { xs: 36, md: 44 } }}>
            {title}
          </Typography>
          <Typography variant="caption" component="div" sx={{ mt: 2, mb: 6 }}>
            {t`Last updated: ${today}`}
          </Typography>
          {children}
        </Text>
      </FullWidthMain>
      <Footer />
    </>
  );
}
