import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { styled } from '@mui/material/styles';
import { Icon, type IconName } from '../ui/Icon';
import { fonts } from '../ui/theme/tokens';
import { PageSection, PageSectionContent, PageSectionTitle } from './PageSection';

interface Step {
  title: string;
  text: string;
}

const photographerSteps = (): Step[] => [
  { title: t`Create event`, text: t`A name and a date. You get a private link and a QR code.` },
  { title: t`Upload photos`, text: t`Drop the whole card. Uploads resume and never charge twice.` },
  { title: t`AI processing`, text: t`Every face is indexed while you keep shooting.` },
  { title: t`Share link`, text: t`Put the QR on the tables, or send the link.` },
];
const guestSteps = (): Step[] => [
  { title: t`Attendee uploads selfie`, text: t`On their phone, without an account.` },
  { title: t`Attendee finds photos`, text: t`Only the ones they are in, ready to keep.` },
];

const StepLists = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 40,
  marginTop: 36,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: '4fr 2fr', gap: 16, marginTop: 52 },
}));

const StepListRoot = styled('div')(({ theme }) => ({
  '--step-color': theme.vars.palette.text.primary,
  '--number': theme.vars.palette.text.disabled,
  '&[data-guests=true]': {
    '--step-color': theme.vars.palette.accentText,
    '--number': theme.vars.palette.accentText,
  },
  '& > p': {
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    margin: 0,
    paddingBottom: 14,
    borderBottom: '2px solid var(--step-color)',
    fontSize: 15,
    fontWeight: 600,
    color: 'var(--step-color)',
  },
  '& ol': { display: 'grid', margin: 0, padding: 0, listStyle: 'none' },
  '& li': { display: 'grid', gridTemplateColumns: '44px 1fr', paddingTop: 18 },
  '& .number': {
    fontFamily: fonts.display,
    fontWeight: 500,
    fontSize: 28,
    lineHeight: 1,
    letterSpacing: '-0.03em',
    color: 'var(--number)',
  },
  '& h3': { ...theme.typography.h3, fontSize: 19, margin: '4px 0' },
  '& li p': { gridColumn: 2, margin: 0, fontSize: 15, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.up('md')]: {
    '& ol': { gridTemplateColumns: 'repeat(4, 1fr)', gap: 16 },
    '&[data-guests=true] ol': { gridTemplateColumns: '1fr 1fr' },
    '& li': { display: 'block', padding: '20px 12px 0 0' },
    '& .number': { fontSize: 34 },
    '& h3': { margin: '18px 0 6px' },
  },
}));

function StepList({
  who,
  icon,
  steps,
  first,
  guests = false,
}: {
  who: string;
  icon: IconName;
  steps: Step[];
  first: number;
  guests?: boolean;
}) {
  return (
    <StepListRoot data-guests={guests}>
      <p>
        <Icon name={icon} size={16} />
        {who}
      </p>
      <ol start={first} aria-label={who}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className="number" aria-hidden="true">
              {first + index}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </StepListRoot>
  );
}

/** The six steps in two lists: the photographer's and the guests'. */
export function Steps() {
  const photographers = photographerSteps();
  return (
    <PageSection>
      <PageSectionContent>
        <PageSectionTitle>
          <Trans>
            Four steps for you.
            <br />
            Two for your guests.
          </Trans>
        </PageSectionTitle>
        <StepLists>
          <StepList who={t`You, the photographer`} icon="picture" steps={photographers} first={1} />
          <StepList
            who={t`Your guests`}
            icon="user"
            steps={guestSteps()}
            first={photographers.length + 1}
            guests
          />
        </StepLists>
      </PageSectionContent>
    </PageSection>
  );
}
