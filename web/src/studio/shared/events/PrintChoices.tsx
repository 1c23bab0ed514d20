import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { loadLogo } from '../brand/studio';
import type { PublicEvent } from '../../../platform/api/types';
import { Alert } from '../../../ui/Alert';
import { saveBlob } from '../../../ui/saveFile';
import { english, languages } from '../../../platform/i18n/languages';
import { preferredLanguage } from '../../../platform/i18n/startLanguage';
import { type LinkedEvent, useEventUrl } from './eventUrls';
import { guestEventQuery } from './guestEvent';
import type { PaperName } from '../print/printable';

const fileNames: Record<PaperName, (slug: string) => string> = {
  a4: (slug) => `poster-${slug}.pdf`,
  a6: (slug) => `table-card-${slug}.pdf`,
};

/** What a print shows of a studio. */
async function printed(studio: PublicEvent['studio']) {
  if (studio == null) return null;
  const { name, logo } = studio;
  // Paper is light.
  const accent = studio.accent?.light ?? null;
  if (logo == null) return { name, logo: null, accent };
  const { url, width, height } = logo;
  return { name, logo: { width, height, bytes: await loadLogo(url) }, accent };
}

/** Downloads a poster or a table card for an event as PDF, in a language of its guests. */
export function PrintChoices({
  event,
  pin,
}: {
  /** `pin` where it is to be printed. */
  event: LinkedEvent & { name: string; date: string; pin?: string };
  /** The PIN that the link of the code enters; null for none. */
  pin: string | null;
}) {
  const { url, settled } = useEventUrl(event, pin);
  const [tag, setTag] = useState(() => preferredLanguage().tag);
  const client = useQueryClient();
  const titleId = useId();
  const download = useMutation({
    mutationFn: async (paper: PaperName) => {
      const [{ printable }, { studio }] = await Promise.all([
        import('../print/printable'),
        // Of the event's owner, whoever prints; as it is now, since a print cannot be corrected.
        client.query({ ...guestEventQuery(event.slug), staleTime: 0 }),
      ]);
      const language = languages.find((each) => each.tag === tag) ?? english;
      return printable({ ...event, studio: await printed(studio) }, url, language, paper);
    },
    onSuccess: (file, paper) => saveBlob(file, fileNames[paper](event.slug)),
  });
  const button = (paper: PaperName, label: string) => (
    <Button
      variant="outlined"
      // A print cannot be corrected: wait until the URL is final.
      disabled={!settled || download.isPending}
      sx={{ px: 2 }}
      loading={download.isPending && download.variables === paper}
      onClick={() => download.mutate(paper)}
    >
      {label}
    </Button>
  );
  return (
    <Box role="group" aria-labelledby={titleId} sx={{ display: 'grid', gap: 3, mt: 6 }}>
      <Typography id={titleId} sx={{ fontSize: 14, fontWeight: 600 }}>
        {t`To print, with the way to the photos in three steps`}
      </Typography>
      <NativeSelect
        value={tag}
        onChange={({ target }) => setTag(target.value)}
        input={<OutlinedInput />}
        inputProps={{ 'aria-label': t`Language of the print` }}
        fullWidth
      >
        {languages.map((language) => (
          <option key={language.tag} value={language.tag} lang={language.tag}>
            {language.name}
          </option>
        ))}
      </NativeSelect>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        {button('a4', t`Poster, A4 (PDF)`)}
        {button('a6', t`Table card, A6 (PDF)`)}
      </Box>
      {download.isError && <Alert tone="error">{t`The PDF could not be made. Please try again.`}</Alert>}
    </Box>
  );
}
