import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { components } from '../../platform/api/schema.gen';
import { Alert } from '../../ui/Alert';
import { CurrentPasswordField } from '../shared/accounts/CurrentPasswordField';
import { saveFile } from '../../ui/saveFile';
import { formatBytes } from '../../platform/bytes';
import { useLogins } from '../shared/accounts/logins';
import { createExport, exportPath } from './account';
import { SettingCard, SettingForm } from './SettingCard';

type Export = components['schemas']['ExportBody'];

function startedText({ photos, size_bytes }: Export): string {
  const size = formatBytes(size_bytes);
  if (photos === 0) return t`You have no photos. The ZIP with your data is downloading, ${size}.`;
  return plural(photos, {
    one: `The ZIP with your data and your photo is downloading, ${size}.`,
    other: `The ZIP with your data and your # photos is downloading, ${size}.`,
  });
}

const missingText = (missing: number): string =>
  plural(missing, {
    one: 'One photo is not in it. The file data.json in the ZIP says why.',
    other: '# photos are not in it. The file data.json in the ZIP says which and why.',
  });

/** Saves everything that the account has as one ZIP, which the browser downloads by itself. */
export function ExportCard() {
  const { passwords } = useLogins();
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const preparation = useMutation({
    mutationFn: createExport,
    onSuccess: ({ download_token }) => {
      setAsking(false);
      setPassword('');
      saveFile(exportPath(download_token), '');
    },
  });
  const isReady = password !== '' || !passwords;
  const toggle = () => {
    preparation.reset();
    setPassword('');
    setAsking(!asking);
  };
  const submit = () => {
    if (isReady && !preparation.isPending) preparation.mutate(password);
  };
  return (
    <SettingCard
      title={t`Download my data`}
      value={
        <>
          {t`One ZIP with your account, events and payments, and every photo as you uploaded it.`}
          {preparation.isSuccess && <Started made={preparation.data} />}
        </>
      }
      toggleLabel={t`Download`}
      editing={asking}
      saved={null}
      onToggle={toggle}
    >
      <SettingForm onSubmit={submit}>
        {preparation.isError && (
          <Alert tone="error">
            {errorMessage(preparation.error, t`Your data could not be gathered. Please try again.`)}
          </Alert>
        )}
        <CurrentPasswordField
          label={t`Password`}
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {preparation.isPending && (
          <Typography variant="body2" color="textSecondary" role="status">
            {t`Your data is being gathered. With many photos this takes some minutes.`}
          </Typography>
        )}
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={!isReady}
          loading={preparation.isPending}
        >
          {t`Prepare the ZIP`}
        </Button>
      </SettingForm>
    </SettingCard>
  );
}

function Started({ made }: { made: Export }) {
  const time = i18n.date(new Date(made.expires_at), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Box sx={{ display: 'grid', gap: 4, mt: 4, justifyItems: 'start', '& > div': { width: '100%' } }}>
      <Alert tone="success">{startedText(made)}</Alert>
      {made.missing > 0 && <Alert tone="warning">{missingText(made.missing)}</Alert>}
      <Typography variant="body2" color="textSecondary">
        {t`If it breaks off, your browser can resume it. The link works until ${{ time }}, for as long as you are logged in here.`}
      </Typography>
      <Button component="a" href={exportPath(made.download_token)} download="">
        {t`Download again`}
      </Button>
    </Box>
  );
}
