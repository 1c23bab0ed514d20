import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event } from '../../../platform/api/types';
import { english, languages } from '../../../platform/i18n/languages';
import { preferredLanguage } from '../../../platform/i18n/startLanguage';
import { Icon } from '../../../ui/Icon';
import { OutlineIcon } from '../../../ui/OutlineIcon';
import { TextField } from '../../../ui/TextField';
import { useEventUrl } from '../../shared/events/eventUrls';
import { invitationIn } from '../../shared/print/texts';
import { useSaveSetting } from '../../shared/events/editing/useSaveSetting';

/** As the server takes them, in code points. */
const longest = 1000;

/**
 * What is written: the event's own message in its language, the usual words in another one. What is typed counts for the
 * language that it was typed in.
 */
function useMessage(event: Event) {
  const { invitation } = event;
  const [tag, setTag] = useState(() => invitation?.language ?? preferredLanguage().tag);
  const [draft, setDraft] = useState<{ tag: string; text: string } | null>(null);
  const language = languages.find((each) => each.tag === tag) ?? english;
  const { data: usual } = useQuery({
    queryKey: ['invitation', language.tag, event.name],
    queryFn: () => invitationIn(language, event.name),
    staleTime: Infinity,
  });
  const kept = invitation?.language === language.tag ? invitation.text : usual;
  return {
    language,
    setTag,
    usual,
    kept,
    text: draft?.tag === language.tag ? draft.text : (kept ?? ''),
    setText: (text: string | null) => setDraft(text === null ? null : { tag: language.tag, text }),
  };
}

/** Hands a message with the link to WhatsApp or a mail, in the language of the guests; it is kept for the event. */
export function SendInvitation({ event, pin }: { event: Event; pin: string | null }) {
  const { url, settled } = useEventUrl(event, pin);
  const { language, setTag, usual, kept, text, setText } = useMessage(event);
  const { change, save } = useSaveSetting();
  const tooLong = Array.from(text.trim()).length > longest;
  const keep = () => {
    const written = text.trim();
    if (tooLong || written === kept || usual === undefined) return;
    const back = event.invitation ?? null;
    const own = written === '' || written === usual ? null : { language: language.tag, text: written };
    // The usual words of another language take nothing from the event's own message.
    if (own === null && back?.language !== language.tag) setText(null);
    else save({ invitation: own }, { invitation: back }, { onSuccess: () => setText(null) });
  };
  // What is sent cannot be corrected: wait until the URL is final.
  const ready = settled && usual !== undefined && !tooLong;
  const sent = text.trim() === '' ? (usual ?? '') : text.trim();
  const message = encodeURIComponent(`${sent}\n${url}`);
  const subject = encodeURIComponent(event.name);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, mt: 4 }}>
      <TextField
        label={t`Message`}
        multiline
        minRows={2}
        maxRows={8}
        value={text}
        disabled={usual === undefined || change.isPending}
        error={tooLong ? t`The message must be at most 1,000 characters long` : undefined}
        helperText={t`The link follows it.`}
        onChange={({ target }) => setText(target.value)}
        onBlur={keep}
        inputProps={{ lang: language.tag, dir: language.direction }}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button
          variant="outlined"
          startIcon={<OutlineIcon outline="M12 4.5a8 7.5 0 0 0-6.8 11.4L4 20l4.5-1.2A8 7.5 0 1 0 12 4.5z" />}
          disabled={!ready}
          href={`https://wa.me/?text=${message}`}
          target="_blank"
          rel="noreferrer"
        >
          WhatsApp
        </Button>
        <Button
          variant="outlined"
          startIcon={<Icon name="mail" />}
          disabled={!ready}
          href={`mailto:?subject=${subject}&body=${message}`}
        >
          {t`Mail`}
        </Button>
        <NativeSelect
          value={language.tag}
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
    </Box>
  );
}
