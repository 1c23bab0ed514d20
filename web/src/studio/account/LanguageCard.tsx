import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useSnackbar } from '../../ui/useSnackbar';
import { english, type Language } from '../../platform/i18n/languages';

/** The language of the admin screens, on this device. */
export function LanguageCard({
  languages,
  choose,
}: {
  languages: readonly Language[];
  /** Changes the language; rejects if it cannot be loaded. */
  choose: (language: Language) => Promise<void>;
}) {
  const show = useSnackbar();
  const titleId = useId();
  const change = async (tag: string) => {
    try {
      await choose(languages.find((each) => each.tag === tag) ?? english);
    } catch {
      show({ tone: 'error', text: t`The language could not be loaded. Please try again.` });
    }
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
    </Card>
  );
}
