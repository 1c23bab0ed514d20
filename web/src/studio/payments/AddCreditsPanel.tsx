import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../../ui/Icon';
import { useSnackbar } from '../../ui/useSnackbar';
import { creditsQuery } from '../shared/credits/credits';
import { formatAmount, formatRupees } from '../../platform/amounts';
import { useSession } from '../../platform/session/session';
import { fonts } from '../../ui/theme/tokens';
import { isPartialAmount, parseRupees } from './amounts';
import { failedText } from './checkout';
import { PaymentPendingMessage } from './PaymentPendingMessage';
import { useCheckout } from './useCheckout';

const presetAmounts = [100, 500, 1000, 2500];
const panelId = 'add-credits';

// Credits can have decimals, so the formatted amount stands in the place of the plural's number.
function creditsAddedText(credits: number): string {
  const amount = formatAmount(credits);
  return plural(credits, { one: `${amount} credits added.`, other: `${amount} credits added.` });
}

function doubledText(credits: number): string {
  const amount = formatAmount(credits);
  return plural(credits, {
    one: `First recharge counts double: ${amount} credits`,
    other: `First recharge counts double: ${amount} credits`,
  });
}

function worthText(credits: number): string {
  const amount = formatAmount(credits);
  return plural(
    { photos: Math.floor(credits) },
    {
      one: `${amount} credits, enough for # photos`,
      other: `${amount} credits, enough for # photos`,
    },
  );
}

/** Buys credits: an amount field, four preset amounts, and a pay button with the amount. */
export function AddCreditsPanel() {
  const show = useSnackbar();
  const credits = useQuery(creditsQuery());
  const [typed, setTyped] = useState('500');
  const [invalid, setInvalid] = useState(false);
  const { purchaseMutation, confirming, dialog } = useCheckout(t`Credits`);
  const rupees = parseRupees(typed);
  const premium = useSession().user?.premium === true;
  // Uploads are free with Premium: credits, doubled or not, are no offer there.
  const doubled = credits.data?.is_first_recharge === true && !premium;

  const field = useRef<HTMLInputElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${panelId}`) field.current?.focus();
  }, [hash]);

  const pay = () => {
    setInvalid(rupees === null);
    if (rupees === null) return;
    purchaseMutation.mutate(
      { rupees, purpose: 'credits' },
      {
        onSuccess: ({ credits_received }) =>
          show({ tone: 'success', text: creditsAddedText(credits_received) }),
      },
    );
  };
  const error = invalid
    ? t`Please enter a valid amount`
    : purchaseMutation.isError
      ? purchaseMutation.error.message || failedText()
      : null;

  return (
    <Card component="section" id={panelId} aria-labelledby="add-credits-title" sx={{ p: 6 }}>
      <Typography variant="h3" component="h2" id="add-credits-title">
        {t`Add Credits`}
      </Typography>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          pay();
        }}
      >
        <Box
          component="label"
          sx={(theme) => ({
            display: 'flex',
            alignItems: 'baseline',
            gap: 1.5,
            mt: 4,
            mb: 3.5,
            pt: 1,
            pb: 2,
            borderBottom: `2px solid ${theme.vars.palette.text.primary}`,
            fontFamily: fonts.display,
            fontWeight: 600,
            letterSpacing: '-0.03em',
            fontVariantNumeric: 'tabular-nums',
            '&:focus-within': { borderColor: theme.vars.palette.primary.main },
          })}
        >
          <Box
            component="span"
            aria-hidden="true"
            sx={{ fontSize: 30, fontWeight: 500, color: 'text.disabled' }}
          >
            ₹
          </Box>
          <Box
            component="input"
            ref={field}
            aria-label={t`Amount in rupees`}
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : 'add-credits-problem'}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            value={typed}
            onChange={(event) => {
              if (isPartialAmount(event.target.value)) setTyped(event.target.value);
            }}
            sx={{
              flex: 1,
              minWidth: 0,
              p: 0,
              border: 0,
              font: 'inherit',
              fontSize: 44,
              lineHeight: 1,
              letterSpacing: 'inherit',
              color: 'inherit',
              background: 'none',
              caretColor: 'var(--mui-palette-primary-main)',
              outline: 'none !important',
            }}
          />
        </Box>
        <Box
          role="group"
          aria-label={t`Amounts`}
          sx={{ display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: 2, mb: 4 }}
        >
          {presetAmounts.map((preset) => (
            <Button
              key={preset}
              size="small"
              variant={rupees === preset ? 'contained' : 'outlined'}
              aria-pressed={rupees === preset}
              onClick={() => setTyped(String(preset))}
              sx={{ px: 0, minWidth: 0 }}
            >
              {formatRupees(preset)}
            </Button>
          ))}
        </Box>
        {doubled && (
          <Chip
            label={rupees === null ? t`First recharge counts double` : doubledText(2 * rupees)}
            sx={(theme) => ({
              mb: 3.5,
              color: theme.vars.palette.accentText,
              backgroundColor: theme.vars.palette.soft.accent,
            })}
          />
        )}
        <Button
          type="submit"
          variant="contained"
          size="large"
          fullWidth
          disabled={rupees === null}
          loading={purchaseMutation.isPending}
        >
          {rupees === null ? t`Pay` : t`Pay ${{ amount: formatRupees(rupees) }}`}
        </Button>
        <PaymentPendingMessage visible={confirming} />
        {error !== null && (
          <FormHelperText error role="alert" id="add-credits-problem">
            <Icon name="alert" size={16} />
            {error}
          </FormHelperText>
        )}
        {premium && (
          <Typography variant="caption" component="p" align="center" color="textSecondary" sx={{ mt: 2.5 }}>
            {t`Uploads are free with Premium: you need no more credits.`}
          </Typography>
        )}
        {!premium && !doubled && !confirming && rupees !== null && (
          <Typography variant="caption" component="p" align="center" color="textDisabled" sx={{ mt: 2.5 }}>
            {worthText(rupees)}
          </Typography>
        )}
      </Box>
      {dialog}
    </Card>
  );
}
