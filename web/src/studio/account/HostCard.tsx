import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { eventsKey } from '../shared/events/events';
import { errorMessage } from '../../platform/api/errors';
import type { OwnHost } from '../../platform/api/types';
import { Alert } from '../../ui/Alert';
import { Icon } from '../../ui/Icon';
import { TextField } from '../../ui/TextField';
import { useCopyToClipboard } from '../../ui/useCopyToClipboard';
import { hostQuery, nameHost, proveHost, removeHost } from './host';
import { SettingCard, SettingForm, useSavedMessage } from './SettingCard';

/** A value that is entered at another service, with the button that copies it. */
function Copied({ label, value }: { label: string; value: string }) {
  const { copy, copied, failed } = useCopyToClipboard(value);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr auto', alignItems: 'center', columnGap: 3 }}>
      <Box component="dt" sx={{ gridColumn: '1 / -1', fontSize: 13, color: 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ m: 0, minWidth: 0, fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
        {value}
      </Box>
      <Button size="small" onClick={copy} aria-label={t`Copy ${{ label }}`}>
        <Icon name={copied ? 'check' : 'copy'} size={18} />
      </Button>
      <Box role="status" sx={{ gridColumn: '1 / -1', fontSize: 13 }}>
        {copied ? t`Copied` : failed ? t`It could not be copied.` : ''}
      </Box>
    </Box>
  );
}

/** What is to be entered where the domain is managed, and the button that looks whether it is there. */
function Records({ host, target, onChange }: HostProps) {
  const prove = useMutation({ mutationFn: proveHost, onSuccess: onChange });
  return (
    <Box sx={{ display: 'grid', gap: 3, mt: 4 }}>
      <Typography color="textSecondary">
        {t`Add these two records where your domain is managed. The first one leads guests here, the second one shows that the address is yours.`}
      </Typography>
      <Box component="dl" sx={{ display: 'grid', gap: 2, m: 0 }}>
        <Copied label={t`Name of the CNAME record`} value={host.name} />
        <Copied label={t`Target of the CNAME record`} value={target} />
        <Copied label={t`Name of the TXT record`} value={host.record.name} />
        <Copied label={t`Value of the TXT record`} value={host.record.value} />
      </Box>
      {prove.isError && (
        <Alert tone="error">
          {errorMessage(prove.error, t`The record could not be looked for. Please try again.`)}
        </Alert>
      )}
      <Box>
        <Button
          variant="contained"
          disabled={prove.isPending}
          loading={prove.isPending}
          onClick={() => prove.mutate()}
        >
          {t`Check the records`}
        </Button>
      </Box>
    </Box>
  );
}

interface HostProps {
  host: NonNullable<OwnHost['host']>;
  target: string;
  onChange: (answer: OwnHost) => void;
}

function Form({
  host,
  onChange,
}: {
  host: OwnHost['host'];
  onChange: (answer: OwnHost, saved: string) => void;
}) {
  const [name, setName] = useState(host?.name ?? '');
  const save = useMutation({
    mutationFn: nameHost,
    onSuccess: (answer) => onChange(answer, t`Address saved.`),
  });
  const remove = useMutation({
    mutationFn: removeHost,
    onSuccess: (answer) => onChange(answer, t`Address removed.`),
  });
  const busy = save.isPending || remove.isPending;
  const failed = save.error ?? remove.error;
  return (
    <SettingForm onSubmit={() => save.mutate(name)}>
      {failed !== null && (
        <Alert tone="error">
          {errorMessage(failed, t`Your own address could not be saved. Please try again.`)}
        </Alert>
      )}
      <TextField
        label={t`Address`}
        placeholder="photos.your-studio.com"
        helperText={t`A part of a domain that you own. Your website stays where it is.`}
        autoFocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Button type="submit" variant="contained" disabled={busy} loading={save.isPending}>
          {t`Save address`}
        </Button>
        {host !== null && (
          <Button color="error" disabled={busy} onClick={() => remove.mutate()}>
            {t`Remove address`}
          </Button>
        )}
      </Box>
    </SettingForm>
  );
}

/** The address of the studio's own at which its events answer; nothing where the operator offers none. */
export function HostCard() {
  const client = useQueryClient();
  const query = hostQuery();
  const loaded = useQuery(query);
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useSavedMessage();
  if (loaded.isPending || loaded.data?.offered === false) return null;
  const host = loaded.data?.host ?? null;
  const isProved = host?.proved_at != null;
  const change = (answer: OwnHost) => {
    client.setQueryData(query.queryKey, answer);
    // Their links lead elsewhere by now.
    void client.invalidateQueries({ queryKey: eventsKey });
  };
  return (
    <SettingCard
      title={t`Your own address`}
      value={host?.name}
      note={
        loaded.isError ? (
          <Alert tone="error">{loaded.error.message}</Alert>
        ) : host === null ? (
          t`Guests open your events at an address of your studio, such as photos.your-studio.com.`
        ) : isProved ? (
          t`Links and QR codes of your events lead there. Those that you have shared before still work.`
        ) : (
          t`Waiting for its records. Until then your links stay as they are.`
        )
      }
      toggleLabel={host === null ? t`Add your own address` : t`Change the address`}
      editing={editing && loaded.isSuccess}
      saved={saved}
      onToggle={() => {
        setEditing(!editing);
        if (loaded.isError) void loaded.refetch();
      }}
      below={
        host !== null && !isProved && !editing ? (
          <Records host={host} target={loaded.data?.target ?? ''} onChange={change} />
        ) : undefined
      }
    >
      <Form
        host={host}
        onChange={(answer, text) => {
          change(answer);
          setEditing(false);
          setSaved(text);
        }}
      />
    </SettingCard>
  );
}
