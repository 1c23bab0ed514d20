import { t } from '@lingui/core/macro';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon';
import { Sky } from '../ui/Sky';
import { formatLongDate } from '../platform/formats';
import { fonts, room } from '../ui/theme/tokens';
import { PageSection, PageSectionContent, PageSectionTitle } from './PageSection';
import { type Illustration, illustrationUrl } from '../ui/illustrations/illustrations';

/** The mockups side by side; a horizontal scroll container on phones. */
const Row = styled('ul')(({ theme }) => ({
  display: 'flex',
  gap: 20,
  margin: '36px -20px 0',
  padding: '6px 20px 12px',
  listStyle: 'none',
  overflowX: 'auto',
  scrollSnapType: 'x mandatory',
  scrollPaddingInline: 20,
  scrollbarWidth: 'none',
  [theme.breakpoints.up('md')]: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, 1fr)',
    gap: 40,
    margin: '52px 0 0',
    padding: 0,
    overflow: 'visible',
  },
  '& > li': {
    flex: 'none',
    width: 264,
    scrollSnapAlign: 'start',
    [theme.breakpoints.up('md')]: { width: 'auto' },
  },
  '& h3': { ...theme.typography.h3, margin: '20px 0 4px' },
  '& li > p': { margin: 0, fontSize: 15, color: theme.vars.palette.text.secondary, maxWidth: '30ch' },
}));

const PhoneFrame = styled('div')(({ theme }) => ({
  position: 'relative',
  width: 264,
  height: 540,
  overflow: 'hidden',
  border: '8px solid #1A1A19',
  borderRadius: 40,
  fontSize: 12,
  lineHeight: 1.4,
  color: room.text,
  backgroundColor: room.ground,
  boxShadow: theme.vars.palette.shadow.menu,
  '& .fill': { position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: 'cover' },
  '& b': { display: 'block', fontFamily: fonts.display, fontWeight: 600, letterSpacing: '-0.03em' },
}));

const Sheet = styled('div')({
  position: 'absolute',
  inset: 'auto 0 0',
  padding: '20px 16px 22px',
  borderRadius: '22px 22px 0 0',
  color: '#141413',
  backgroundColor: '#FFFFFF',
  '& b': { fontSize: 20, marginBottom: 4 },
  '& p': { margin: 0, color: '#55554F' },
  '& .line': {
    height: 2,
    margin: '14px 0',
    background: 'linear-gradient(90deg, #C9410E 72%, #DFDFDD 72%)',
  },
});

const Action = styled('div')({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  height: 48,
  marginTop: 16,
  borderRadius: 15,
  fontSize: 15,
  fontWeight: 600,
  color: '#FFFFFF',
  backgroundColor: '#C9410E',
});

const Shutter = styled('div')({
  position: 'absolute',
  left: '50%',
  bottom: 34,
  width: 60,
  height: 60,
  marginLeft: -30,
  borderRadius: '50%',
  backgroundColor: room.lit,
  boxShadow: '0 0 0 4px #000, 0 0 0 7px #fff, 0 0 36px 8px rgb(255 127 71 / .5)',
});

const Results = styled('div')({
  position: 'absolute',
  inset: 0,
  padding: '22px 10px 0',
  color: '#141413',
  backgroundColor: '#F4F4F3',
  '& .head': { display: 'flex', alignItems: 'center', gap: 10, padding: '0 4px 12px' },
  '& .head img': {
    width: 42,
    height: 42,
    borderRadius: '50%',
    objectFit: 'cover',
    boxShadow: '0 0 0 2px #F4F4F3, 0 0 0 4px #C9410E',
  },
  '& .head b': { fontSize: 17, lineHeight: 1.1 },
  '& .grid': { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 4 },
  '& .grid img': { display: 'block', width: '100%', height: 112, objectFit: 'cover', borderRadius: 3 },
  '& .grid img:first-of-type': { gridColumn: '1 / -1', height: 164 },
  '& .foot': {
    position: 'absolute',
    inset: 'auto 0 0',
    padding: '30px 10px 14px',
    background: 'linear-gradient(transparent, #F4F4F3 34%)',
  },
});

const found: Illustration[] = [
  'embrace',
  'dancefloor',
  'sparklers',
  'garden',
  'lanterns',
  'beach',
  'portrait',
];

const renderIllustration = (illustration: Illustration, size: number, className?: string) => (
  <img
    key={illustration}
    src={illustrationUrl(illustration)}
    alt=""
    loading="lazy"
    width={size}
    height={size}
    className={className}
  />
);

const mockups = (): { title: string; text: string; screen: ReactNode }[] => [
  {
    title: t`They open your link`,
    text: t`From the QR code on the table, or out of the family chat.`,
    screen: (
      <>
        <div className="fill" style={{ height: '62%' }}>
          <Sky slug="aanya-rohan" />
        </div>
        <div style={{ position: 'absolute', left: 16, bottom: 262 }}>
          {formatLongDate('2026-11-14')}
          <b style={{ fontSize: 34, lineHeight: 1 }}>
            {/* Names, which are the same in every language. */}
            {'Aanya'}
            <br />
            {'& Rohan'}
          </b>
        </div>
        <Sheet>
          <b>{t`Find Your Photos`}</b>
          <p>
            {t`Take a selfie.`} {t`Every photo you’re in, in seconds.`}
          </p>
          <div className="line" />
          <p>{t`${{ indexed: 178 }} of ${{ total: 247 }} photos searchable`}</p>
          <Action>
            <Icon name="camera" />
            {t`Open camera`}
          </Action>
        </Sheet>
      </>
    ),
  },
  {
    title: t`They take one selfie`,
    text: t`It is searched with, held in memory only, and dropped.`,
    screen: (
      <>
        {renderIllustration('selfie', 264, 'fill')}
        <div
          className="fill"
          style={{ background: 'linear-gradient(transparent 58%, rgb(0 0 0 / .8) 82%)' }}
        />
        <svg viewBox="0 0 248 524" className="fill" aria-hidden="true">
          <ellipse
            cx="124"
            cy="196"
            rx="86"
            ry="116"
            fill="none"
            stroke="#fff"
            strokeOpacity=".8"
            strokeWidth="2"
            strokeDasharray="2 8"
            strokeLinecap="round"
          />
          <path
            d="M38 196a86 116 0 0 0 172 0"
            fill="none"
            stroke={room.lit}
            strokeWidth="3"
            strokeLinecap="round"
          />
        </svg>
        <div style={{ position: 'absolute', inset: 'auto 0 112px', textAlign: 'center', fontSize: 14 }}>
          {t`Good light. Hold still.`}
        </div>
        <Shutter />
      </>
    ),
  },
  {
    title: t`They keep what is theirs`,
    text: t`Best match first, the originals, one by one or all at once.`,
    screen: (
      <Results>
        <div className="head">
          {renderIllustration('selfie', 42)}
          <div>
            <b>{t`Your Matched Photos`}</b>
            {t`${{ count: 12 }} from ${{ eventName: 'Aanya & Rohan' }}`}
          </div>
        </div>
        <div className="grid">{found.map((illustration) => renderIllustration(illustration, 224))}</div>
        <div className="foot">
          <Action>
            <Icon name="download" />
            {t`Download All Photos (${{ count: 12 }})`}
          </Action>
        </div>
      </Results>
    ),
  },
];

/** Mockups of the guest's screens. */
export function PhoneMockups() {
  return (
    <PageSection data-surface>
      <PageSectionContent>
        <PageSectionTitle>{t`A minute on their phone. No app, no account.`}</PageSectionTitle>
        <Row tabIndex={0} aria-label={t`What a guest sees`}>
          {mockups().map(({ title, text, screen }) => (
            <li key={title}>
              <PhoneFrame aria-hidden="true">{screen}</PhoneFrame>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </Row>
      </PageSectionContent>
    </PageSection>
  );
}
