import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { english, type Language } from '../../platform/i18n/languages';
import { mailLanguageQuery, setMailLanguage } from './account';

/** The language of the admin screens, on this device, and with it that of the photographer's mails. */
export function LanguageCard({
  languages,
  choose,
}: {
  languages: readonly Language[];
  /** Changes the language; rejects if it cannot be loaded. */
  choose: (language: Language) => Promise<void>;
}) {
  const show = useSnackbar();
  const client = useQueryClient();
  const titleId = useId();
  const query = mailLanguageQuery();
  const mails = useQuery(query);
  const write = useMutation({
    mutationFn: setMailLanguage,
    onSuccess: (saved) => client.setQueryData(query.queryKey, saved),
    onError: ({ message }) => show({ tone: 'error', text: message }),
  });
  const here = languages.find(({ tag }) => tag === i18n.locale) ?? english;
  // Chosen on another device, or before mails had a language.
  const elsewhere =
    mails.data === undefined || mails.data.language === here.tag || write.isPending
      ? undefined
      : languages.find(({ tag }) => tag === mails.data.language);
  const change = async (tag: string) => {
    try {
      await choose(languages.find((each) => each.tag === tag) ?? english);
    } catch {
      show({ tone: 'error', text: t`The language could not be loaded. Please try again.` });
      return;
    }
    write.mutate(tag);
  };
  return (
    <Card component="section" aria-labelledby={titleId} sx={{ p: { xs: 4, sm: '24px 28px' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 4 }}>
        <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
          {t`Language`}
        </Typography>
        <NativeSelect
          value={i18n.locale}
          onChange={({ target }) => void change(target.value)}
          input={<OutlinedInput />}
          inputProps={{ 'aria-labelledby': titleId }}
        >
          {languages.map(({ tag, name }) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </Box>
      {mails.isError && (
        <Typography color="text.secondary" sx={{ mt: 3 }}>
          {mails.error.message}
        </Typography>
      )}
      {elsewhere !== undefined && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, mt: 3 }}>
          <Typography color="text.secondary" sx={{ flex: 1, minWidth: 200 }}>
            {t`Your mails are in ${{ language: elsewhere.name }}.`}
          </Typography>
          <Button variant="outlined" size="small" onClick={() => write.mutate(here.tag)}>
            {t`Use ${{ language: here.name }} for mails too`}
          </Button>
        </Box>
      )}
    </Card>
  );
}
