import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { useCopyToClipboard } from '../../ui/useCopyToClipboard';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

/** A setting by its name in the file, and a value for it. */
export interface Setting {
  name: string;
  value: string | number;
}

const inFile = ({ name, value }: Setting) => `${name} = ${JSON.stringify(value)}`;
const inEnvironment = ({ name, value }: Setting) => `${['AFTERGLOW', name.toUpperCase()].join('_')}=${value}`;

/** Lines of a file, with a button that copies them. */
function Lines({ label, lines }: { label: string; lines: string[] }) {
  const text = lines.join('\n');
  const { copy, copied, failed } = useCopyToClipboard(text);
  const id = useId();
  return (
    <Box>
      <Typography variant="body2" color="textSecondary" id={id}>
        {label}
      </Typography>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          mt: 1,
          p: '4px 4px 4px 14px',
          borderRadius: '10px',
          backgroundColor: 'sunken',
        }}
      >
        <Box
          component="code"
          sx={{
            flex: 1,
            minWidth: 0,
            py: 1.5,
            fontSize: 14,
            fontFamily: 'ui-monospace, monospace',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {text}
        </Box>
        <IconButton aria-label={t`Copy`} aria-describedby={id} onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} />
        </IconButton>
      </Box>
      <VisuallyHidden role="status">
        {copied
          ? t`Copied`
          : failed
            ? t`This could not be copied. Please select it and copy it yourself.`
            : ''}
      </VisuallyHidden>
    </Box>
  );
}

/** The lines that set something where the service is started. */
export function SettingLines({ settings }: { settings: Setting[] }) {
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Lines label={t`In afterglow.toml`} lines={settings.map(inFile)} />
      <Lines label={t`Or in the environment`} lines={settings.map(inEnvironment)} />
      <Typography variant="body2" color="textSecondary">
        {t`Then restart the service.`}
      </Typography>
    </Box>
  );
}

/** The same, shown when it is asked for. */
export function HowToSet({ settings, label }: { settings: Setting[]; label: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <Box>
      <Button
        variant="text"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={{ ml: '-18px' }}
      >
        {label}
      </Button>
      <Box id={id} hidden={!open} sx={{ mt: 2 }}>
        {open && <SettingLines settings={settings} />}
      </Box>
    </Box>
  );
}
