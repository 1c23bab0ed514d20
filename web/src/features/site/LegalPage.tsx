import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useDocumentTitle } from '../../shared/components/useDocumentTitle';
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

const longDate = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });

/** A legal page: title, today as the date of the last update, and text. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  const [today] = useState(() => longDate.format(new Date()));
  return (
    <>
      <FullWidthMain id="main">
        <Text>
          <Typography variant="h1" sx={{ fontSize: { xs: 36, md: 44 } }}>
            {title}
          </Typography>
          <Typography variant="caption" component="div" sx={{ mt: 2, mb: 6 }}>
            Last updated: {today}
          </Typography>
          {children}
        </Text>
      </FullWidthMain>
      <Footer />
    </>
  );
}
