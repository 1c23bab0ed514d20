import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { errorMessage } from '../../../platform/api/errors';
import { formatCount } from '../../../platform/formats';
import { Alert } from '../../../ui/Alert';
import { saveBlob } from '../../../ui/saveFile';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { useCopyToClipboard } from '../../../ui/useCopyToClipboard';
import type { Chosen } from '../../shared/events/albums/choices';
import { endingOf, fetchNames, type Label, labels, type NameFormat, namesQuery, stars } from './nameLists';

const formats = (): { value: NameFormat; label: string }[] => [
  { value: 'txt', label: t`Text, one name a line` },
  { value: 'csv', label: t`Table (CSV) with hearts and albums` },
  { value: 'xmp', label: t`Stars and color labels (XMP)` },
];

const labelNames = (): Record<Label, string> => ({
  green: t`Green`,
  red: t`Red`,
  yellow: t`Yellow`,
  blue: t`Blue`,
  purple: t`Purple`,
});

function Choice({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Box sx={{ flex: 1, minWidth: 120 }}>
      <Box component="label" htmlFor={id} sx={{ display: 'block', mb: 1.5, fontSize: 14, fontWeight: 600 }}>
        {label}
      </Box>
      <NativeSelect
        value={value}
        onChange={({ target }) => onChange(target.value)}
        input={<OutlinedInput />}
        inputProps={{ id }}
        fullWidth
      >
        {children}
      </NativeSelect>
    </Box>
  );
}

/** The names of chosen photos, for the program in which the photographer has their originals. */
export function NamesDialog({
  eventId,
  slug,
  chosen,
  count,
  onClose,
}: {
  eventId: string;
  slug: string;
  chosen: Chosen;
  count: number;
  onClose: () => void;
}) {
  const titleId = useId();
  const [format, setFormat] = useState<NameFormat>('txt');
  const [withoutEndings, setWithoutEndings] = useState(false);
  const [rating, setRating] = useState(5);
  const [label, setLabel] = useState<Label | ''>('');
  const names = useQuery(namesQuery(eventId, chosen, withoutEndings));
  // What search fields of such programs take.
  const { copy, copied, failed } = useCopyToClipboard(names.data?.join(', ') ?? '');
  const saving = useMutation({
    mutationFn: () => fetchNames(eventId, chosen, { format, withoutEndings, rating, label }),
    onSuccess: (file) => {
      saveBlob(file, `${slug}-${endingOf[format]}`);
      onClose();
    },
  });
  const failure = saving.error ?? (names.isFetching ? null : names.error);
  const number = formatCount(count);
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t`File names`}</DialogTitle>
      <DialogContent>
        <Box sx={{ display: 'grid', gap: 4, mt: 2 }}>
          <Typography color="textSecondary">
            {plural(count, {
              one: `The name of ${number} photo, to find its original again.`,
              other: `The names of ${number} photos, to find their originals again.`,
            })}
          </Typography>
          <RadioGroup
            aria-label={t`Save as`}
            value={format}
            onChange={(_, chosen) => setFormat(chosen as NameFormat)}
          >
            {formats().map((each) => (
              <FormControlLabel
                key={each.value}
                value={each.value}
                control={<Radio size="small" />}
                label={each.label}
              />
            ))}
          </RadioGroup>
          {format === 'xmp' ? (
            <>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 4 }}>
                <Choice label={t`Stars`} value={`${rating}`} onChange={(value) => setRating(Number(value))}>
                  {stars.map((each) => (
                    <option key={each} value={each}>
                      {'★'.repeat(each)}
                    </option>
                  ))}
                  <option value="0">{t`None`}</option>
                </Choice>
                <Choice
                  label={t`Color label`}
                  value={label}
                  onChange={(value) => setLabel(labels.find((each) => each === value) ?? '')}
                >
                  <option value="">{t`None`}</option>
                  {labels.map((each) => (
                    <option key={each} value={each}>
                      {labelNames()[each]}
                    </option>
                  ))}
                </Choice>
              </Box>
              <Typography variant="body2" color="textSecondary">
                {t`A ZIP with a small file for each photo. Unpack it beside your raw files: Lightroom, Capture One, darktable and digiKam read stars and label from there.`}
              </Typography>
            </>
          ) : (
            <FormControlLabel
              control={
                <Checkbox checked={withoutEndings} onChange={(_, checked) => setWithoutEndings(checked)} />
              }
              label={t`Without endings, for raw files`}
            />
          )}
          {failure !== null && (
            <Alert tone="error">
              {errorMessage(failure, t`The names could not be listed. Please try again.`)}
            </Alert>
          )}
          {failed && (
            <Alert tone="error">{t`The browser did not allow copying. Save the names as a text.`}</Alert>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} sx={{ mr: 'auto' }}>{t`Cancel`}</Button>
        <VisuallyHidden role="status">{copied ? t`Copied` : ''}</VisuallyHidden>
        {format === 'txt' && (
          <Button variant="outlined" disabled={names.data === undefined} onClick={copy}>
            {copied ? t`Copied` : t`Copy`}
          </Button>
        )}
        <Button
          variant="contained"
          color="ink"
          autoFocus
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {t`Save`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
