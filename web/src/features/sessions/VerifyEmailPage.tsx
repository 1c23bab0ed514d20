import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Alert } from '../../shared/components/Alert';
import { clearSession } from '../../shared/storage';
import { AuthFrame } from './AuthFrame';
import { checkVerificationStatus, verifyEmail } from './calls';
import { ResendPanel } from './ResendPanel';
import { type Display, verifyAddress } from './verification';

const leaveAfter = 3000;

const titles: Record<Display['kind'], string> = {
  verifying: 'Verifying your email...',
  success: 'Email Verified Successfully!',
  error: 'Verification Failed',
  expired: 'Link Expired',
};

// Other tabs hear of the removed token by themselves; this tells whoever listens in this one.
function logOutHere(): void {
  clearSession();
  window.dispatchEvent(new Event('storage'));
}

function useVerification(token: string | null): Display {
  const [display, setDisplay] = useState<Display>({ kind: 'verifying' });
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void verifyAddress(token, {
      checkStatus: checkVerificationStatus,
      verify: verifyEmail,
      onVerified: logOutHere,
    }).then(setDisplay);
  }, [token]);
  return display;
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

/** The way out of a link that did not work: a new one. */
function NewLink({ label }: { label: string }) {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  if (sent) {
    return (
      <>
        <Alert tone="success">Verification email sent successfully! Please check your inbox.</Alert>
        <GoToLogin label="Go to Login" accent />
      </>
    );
  }
  return (
    <>
      {open ? (
        <ResendPanel onCancel={() => setOpen(false)} onSent={() => setSent(true)} />
      ) : (
        <Button variant="contained" color="primary" size="large" onClick={() => setOpen(true)}>
          {label}
        </Button>
      )}
      <GoToLogin label="Go to Login" accent={false} />
    </>
  );
}

export default function VerifyEmailPage() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const display = useVerification(query.get('token'));
  const leaves = display.kind === 'success' && display.next === 'goToLogin';

  useEffect(() => {
    if (!leaves) return undefined;
    const timer = setTimeout(() => void navigate('/login'), leaveAfter);
    return () => clearTimeout(timer);
  }, [leaves, navigate]);

  return (
    <AuthFrame
      title={titles[display.kind]}
      promise="One link, and the night is yours."
      promiseLine="A verified address keeps your events yours alone."
    >
      <Box aria-live="polite" sx={{ display: 'grid', gap: 4.5, mt: 7 }}>
        {display.kind === 'verifying' && <ProgressBar label="Verifying your email..." />}
        {display.kind === 'success' && (
          <>
            <Alert tone="success">{display.text}</Alert>
            <GoToLogin label="Go to Login Page" accent />
          </>
        )}
        {display.kind === 'error' && (
          <>
            <Alert tone="error">{display.text}</Alert>
            <NewLink label="Resend Verification" />
          </>
        )}
        {display.kind === 'expired' && (
          <>
            <Alert tone="warning">{display.text}</Alert>
            <NewLink label="Request New Link" />
          </>
        )}
      </Box>
    </AuthFrame>
  );
}
