import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Studio } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { removeLogo, uploadLogo } from '../shared/brand/studio';

/** The studio's logo, on the white that guests see it on, with the buttons that change it. */
export function StudioLogo({ studio, onChange }: { studio: Studio; onChange: (studio: Studio) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({ mutationFn: uploadLogo, onSuccess: onChange });
  const remove = useMutation({
    mutationFn: removeLogo,
    onSuccess: () => onChange({ ...studio, logo: null }),
  });
  const failed = upload.error ?? remove.error;
  const busy = upload.isPending || remove.isPending;
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    remove.reset();
    upload.mutate(file);
  };
  const { logo } = studio;
  return (
    <Box sx={{ display: 'grid', gap: 3, mt: 4, justifyItems: 'start' }}>
      {logo != null && (
        <Box
          component="img"
          src={logo.url}
          width={logo.width}
          height={logo.height}
          alt={t`Logo of ${{ studio: studio.name }}`}
          sx={{
            width: 'auto',
            height: 'auto',
            maxWidth: '100%',
            maxHeight: 96,
            p: 3,
            borderRadius: '10px',
            border: 1,
            borderColor: 'divider',
            backgroundColor: '#ffffff',
          }}
        />
      )}
      {failed !== null && (
        <Alert tone="error">{errorMessage(failed, t`The logo could not be saved. Please try again.`)}</Alert>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button
          variant="outlined"
          disabled={busy}
          loading={upload.isPending}
          onClick={() => input.current?.click()}
        >
          {logo == null ? t`Add logo` : t`Replace logo`}
        </Button>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg"
          aria-label={t`Logo file`}
          hidden
          onChange={({ target }) => {
            choose(target.files);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
        {logo != null && (
          <Button
            disabled={busy}
            loading={remove.isPending}
            onClick={() => {
              upload.reset();
              remove.mutate();
            }}
          >
            {t`Remove logo`}
          </Button>
        )}
      </Box>
      <Box sx={{ fontSize: 14 }}>{t`PNG or JPEG, at most 5 MB. Guests see it on white.`}</Box>
    </Box>
  );
}
