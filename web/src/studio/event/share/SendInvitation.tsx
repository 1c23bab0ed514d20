import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../../ui/Icon';
import { OutlineIcon } from '../../../ui/OutlineIcon';
import { useEventUrl } from '../../shared/events/eventUrls';
import { english, languages } from '../../../platform/i18n/languages';
import { preferredLanguage } from '../../../platform/i18n/startLanguage';
import { invitationIn } from '../../shared/print/texts';

/** Hands a message with the link to WhatsApp or a mail, in the language of the guests. */
export function SendInvitation({ slug, name, pin }: { slug: string; name: string; pin: string | null }) {
  const { url, settled } = useEventUrl(slug, pin);
  const [tag, setTag] = useState(() => preferredLanguage().tag);
  const language = languages.find((each) => each.tag === tag) ?? english;
  const { data: text } = useQuery({
    queryKey: ['invitation', language.tag, name, url],
    queryFn: () => invitationIn(language, name, url),
    staleTime: Infinity,
    // What is sent cannot be corrected: wait until the URL is final.
    enabled: settled,
  });
  const message = encodeURIComponent(text ?? '');
  const subject = encodeURIComponent(name);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
      <Button
        variant="outlined"
        startIcon={<OutlineIcon outline="M12 4.5a8 7.5 0 0 0-6.8 11.4L4 20l4.5-1.2A8 7.5 0 1 0 12 4.5z" />}
        disabled={text === undefined}
        href={`https://wa.me/?text=${message}`}
        target="_blank"
        rel="noreferrer"
      >
        WhatsApp
      </Button>
      <Button
        variant="outlined"
        startIcon={<Icon name="mail" />}
        disabled={text === undefined}
        href={`mailto:?subject=${subject}&body=${message}`}
      >
        {t`Mail`}
      </Button>
      <NativeSelect
        value={tag}
        onChange={({ target }) => setTag(target.value)}
        input={<OutlinedInput />}
        inputProps={{ 'aria-label': t`Language of the message` }}
        sx={{ minHeight: 44 }}
      >
        {languages.map((each) => (
          <option key={each.tag} value={each.tag} lang={each.tag}>
            {each.name}
          </option>
        ))}
      </NativeSelect>
    </Box>
  );
}
