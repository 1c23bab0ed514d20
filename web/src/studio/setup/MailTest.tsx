import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { sendTestMail, type TestedMail } from './setup';

/** What became of a test, and what to do about it. */
function outcomeText({ outcome, to, answer }: TestedMail): string {
  switch (outcome) {
    case 'sent':
      return t`The mail server took the mail to ${{ to }}. Look whether it has come.`;
    case 'written':
      return t`The mail was written to ${{ file: answer }} and not sent.`;
    case 'unreachable':
      return t`The mail server cannot be reached. Check host and port in mail_url, and that a firewall lets this machine through.`;
    case 'encryption':
      return t`There is no encrypted connection to the mail server. Check that it has a trusted certificate for its host.`;
    case 'login':
      return t`The mail server refuses user or password. Check both in mail_url; characters such as @, : and / are percent-encoded there.`;
    case 'later':
      return t`The mail server wants the mail later. Try again in some minutes.`;
    case 'folder':
      return t`The folder cannot be written to.`;
    case 'address':
      return t`Mails cannot be sent to this address.`;
    default:
      return t`The mail server refuses the mail. Check mail_from, which has to be an address that it sends for.`;
  }
}

/** Sends a test to the administrator’s own address. */
export function MailTest() {
  const test = useMutation({ mutationFn: sendTestMail });
  const tested = test.data;
  const tone = tested?.outcome === 'sent' ? 'success' : tested?.outcome === 'written' ? 'warning' : 'error';
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate()}>
        {t`Send a test mail`}
      </Button>
      {test.isError && (
        <Alert tone="error">
          {errorMessage(test.error, t`The test mail could not be sent. Please try again.`)}
        </Alert>
      )}
      {tested !== undefined && (
        <Alert tone={tone}>
          {outcomeText(tested)}
          {tested.outcome !== 'written' && (
            <Box component="span" sx={{ display: 'block', mt: 1, overflowWrap: 'anywhere' }} lang="en">
              {tested.answer}
            </Box>
          )}
        </Alert>
      )}
    </Box>
  );
}
