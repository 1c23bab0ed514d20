import { t } from '@lingui/core/macro';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { Statistics } from '../../../platform/api/types';
import { formatCount } from '../../../platform/formats';

type Accuracy = NonNullable<Statistics['accuracy']>;
type Share = Accuracy['wrong'];

const ofHundred = (share: number) => formatCount(Math.round(share * 100));
const oneOf = (share: number) => formatCount(Math.round(1 / share));

function foundText({ at, low, high }: Share): string {
  const [found, least, most] = [ofHundred(at), ofHundred(low), ofHundred(high)];
  return t`About ${found} of 100 photos of guests are found (${least} to ${most}).`;
}

function wrongText({ at, low, high }: Share): string {
  const most = oneOf(high);
  if (at === 0) return t`No photo was called wrong (at most 1 of ${most} is).`;
  const [wrong, least] = [oneOf(at), oneOf(low)];
  return t`About 1 of ${wrong} photos shown is of somebody else (1 of ${most} to 1 of ${least}).`;
}

/** How well searches are, by what guests say of them, with what chance leaves open. */
export function AccuracyFigure({ accuracy: { answers, found, wrong } }: { accuracy: Accuracy }) {
  const count = formatCount(answers);
  return (
    <Card component="section" aria-labelledby="accuracy-title" sx={{ p: { xs: 4, md: 6 } }}>
      <Typography variant="h3" component="h2" id="accuracy-title" sx={{ mb: 2 }}>
        {t`What guests say of their photos`}
      </Typography>
      {found !== undefined && found !== null && <Typography>{foundText(found)}</Typography>}
      <Typography>{wrongText(wrong)}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
        {t`From ${count} answers. The ranges hold with 95 % confidence; guests who say nothing count as content.`}
      </Typography>
    </Card>
  );
}
