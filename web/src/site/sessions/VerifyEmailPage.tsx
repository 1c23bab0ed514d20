import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ProgressBar } from '../../ui/ProgressBar';
import { Alert } from '../../ui/Alert';
import { clearSession } from '../../platform/storage/storage';
import { AuthLayout } from '../../studio/shared/accounts/AuthLayout';
import { checkVerificationStatus, verifyEmail } from './sessions';
import { ResendVerification } from './ResendVerification';
import { type VerificationState, verifyAddress } from './verification';

const redirectDelay = 3000;

const titles = (): Record<VerificationState['kind'], string> => ({
  verifying: t`Verifying your email...`,
  success: t`Email Verified Successfully!`,
  error: t`Verification Failed`,
  expired: t`Link Expired`,
});

// Browsers dispatch storage events in other tabs only; this one is for the listeners of this tab.
function logOut(): void {
  clearSession();
  window.dispatchEvent(new Event('storage'));
}

function useVerification(token: string | null): VerificationState {
  const [state, setState] = useState<VerificationState>({ kind: 'verifying' });
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void verifyAddress(token, {
      checkStatus: checkVerificationStatus,
      verify: verifyEmail,
      onVerified: logOut,
    }).then(setState);
  }, [token]);
  return state;
}

const GoToLogin = ({ label, accent }: { label: string; accent: boolean }) => (
  <Button
    component={Link}
    to="/login"
    size="large"
    variant={accent ? 'contained' : 'outlined'}
    color={accent ? 'primary' : 'ink'}
  >
    {label}
  </Button>
);

/** Requests a new verification link. `accent` marks it as the main action of the display. */
function RequestNewLink({ label, accent = true }: { label: string; accent?: boolean }) {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  if (sent) {
    return <Alert tone="success">{t`Verification email sent successfully! Please check your inbox.`}</Alert>;
  }
  if (open) return <ResendVerification onCancel={() => setOpen(false)} onSent={() => setSent(true)} />;
  return (
    <Button
      variant={accent ? 'contained' : 'text'}
      color="primary"
      size="large"
      onClick={() => setOpen(true)}
    >
      {label}
    </Button>
  );
}

export default function VerifyEmailPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const state = useVerification(query.get('token'));
  const redirects = state.kind === 'success' && state.next === 'goToLogin';

  useEffect(() => {
    if (!redirects) return undefined;
    const timer = setTimeout(() => void navigate('/login'), redirectDelay);
    return () => clearTimeout(timer);
  }, [redirects, navigate]);

  return (
    <AuthLayout
      title={titles()[state.kind]}
      tagline={t`One link, and the night is yours.`}
      taglineText={t`A verified address keeps your events yours alone.`}
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {state.kind === 'verifying' && <ProgressBar label={t`Verifying your email...`} />}
        {state.kind === 'success' && (
          <>
            <Alert tone="success">{state.text}</Alert>
            <GoToLogin label={t`Go to Login Page`} accent />
            {state.next === 'offerNewLink' && (
              <RequestNewLink label={t`Not verified yet? Send a new link`} accent={false} />
            )}
          </>
        )}
        {state.kind === 'error' && (
          <>
            <Alert tone="error">{state.text}</Alert>
            <RequestNewLink label={t`Resend Verification`} />
            <GoToLogin label={t`Go to Login`} accent={false} />
          </>
        )}
        {state.kind === 'expired' && (
          <>
            <Alert tone="warning">{state.text}</Alert>
            <RequestNewLink label={t`Request New Link`} />
            <GoToLogin label={t`Go to Login`} accent={false} />
          </>
        )}
      </Box>
    </AuthLayout>
  );
}
