import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorMessage } from '../../platform/api/errors';
import type { Studio } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { darkColors } from '../../ui/theme/tokens';
import { type Ground, removeLogo, uploadLogo } from '../shared/brand/studio';

const textsOf = (ground: Ground, studio: string) =>
  ground === 'light'
    ? {
        name: t`Logo of ${{ studio }}`,
        file: t`Logo file`,
        add: t`Add logo`,
        replace: t`Replace logo`,
        remove: t`Remove logo`,
        hint: t`PNG or JPEG, at most 5 MB. Guests see it on white.`,
      }
    : {
        name: t`Logo of ${{ studio }} for dark backgrounds`,
        file: t`Logo file for dark backgrounds`,
        add: t`Add logo for dark backgrounds`,
        replace: t`Replace logo for dark backgrounds`,
        remove: t`Remove logo for dark backgrounds`,
        hint: t`Best a white or light version as PNG with a transparent background. Guests see it over covers and in the dark theme; without it, they see the other one on white there.`,
      };

/** A logo of the studio on what guests see it on, with the buttons that change it. */
function OneLogo({
  ground,
  studio,
  onChange,
}: {
  ground: Ground;
  studio: Studio;
  onChange: (studio: Studio) => void;
}) {
  const field = ground === 'dark' ? 'dark_logo' : 'logo';
  const logo = studio[field];
  const texts = textsOf(ground, studio.name);
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({ mutationFn: uploadLogo, onSuccess: onChange });
  const remove = useMutation({
    mutationFn: () => removeLogo(ground),
    onSuccess: () => onChange({ ...studio, [field]: null }),
  });
  const failed = upload.error ?? remove.error;
  const busy = upload.isPending || remove.isPending;
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    remove.reset();
    upload.mutate({ ground, logo: file });
  };
  return (
    <Box sx={{ display: 'grid', gap: 3, mt: 4, justifyItems: 'start' }}>
      {logo != null && (
        <Box
          component="img"
          src={logo.url}
          width={logo.width}
          height={logo.height}
          alt={texts.name}
          sx={{
            width: 'auto',
            height: 'auto',
            maxWidth: '100%',
            maxHeight: 96,
            p: 3,
            borderRadius: '10px',
            border: 1,
            borderColor: 'divider',
            backgroundColor: ground === 'dark' ? darkColors.surface : '#ffffff',
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
          {logo == null ? texts.add : texts.replace}
        </Button>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg"
          aria-label={texts.file}
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
            {texts.remove}
          </Button>
        )}
      </Box>
      <Box sx={{ fontSize: 14 }}>{texts.hint}</Box>
    </Box>
  );
}

const grounds: readonly Ground[] = ['light', 'dark'];

/** The studio's logos; either can be alone. */
export function StudioLogo({ studio, onChange }: { studio: Studio; onChange: (studio: Studio) => void }) {
  return grounds.map((ground) => (
    <OneLogo key={ground} ground={ground} studio={studio} onChange={onChange} />
  ));
}
