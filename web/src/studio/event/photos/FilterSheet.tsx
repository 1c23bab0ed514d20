import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import { type Filter, noFilter, type Sort, type StatusFilter } from './filters';
import type { Uploader } from './useUploaders';

const statuses = (managed: boolean): { value: StatusFilter; label: string }[] => [
  { value: 'all', label: t`All` },
  { value: 'ready', label: t`Searchable` },
  { value: 'processing', label: t`Finding faces` },
  { value: 'failed', label: t`Failed` },
  { value: 'withoutFaces', label: t`No faces` },
  { value: 'held', label: t`Held` },
  ...(managed ? [{ value: 'hearted' as const, label: t`With hearts` }] : []),
  { value: 'blurred', label: t`Blurred` },
];

const sorts = (managed: boolean): { value: Sort; label: string }[] => [
  { value: 'uploaded', label: t`Newest uploads first` },
  { value: 'captured', label: t`By time taken` },
  { value: 'name', label: t`By file name` },
  ...(managed ? [{ value: 'hearts' as const, label: t`Most hearts first` }] : []),
  { value: 'sharpness', label: t`Least sharp first` },
];

function Choices<Value extends string>({
  legend,
  value,
  choices,
  onChange,
}: {
  legend: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <Box>
      <Box id={id} sx={{ mb: 0.5, fontSize: 14, fontWeight: 600 }}>
        {legend}
      </Box>
      <RadioGroup row aria-labelledby={id} value={value} onChange={(_, chosen) => onChange(chosen as Value)}>
        {choices.map((choice) => (
          <FormControlLabel
            key={choice.value}
            value={choice.value}
            control={<Radio size="small" />}
            label={choice.label}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

/** How the photos are sorted, and which of them are shown. It holds at once. */
export function FilterSheet({
  filter,
  managed,
  uploaders,
  onChange,
  onKeys,
  onClose,
}: {
  filter: Filter;
  /** Whether what guests did is shown. */
  managed: boolean;
  uploaders: readonly Uploader[];
  onChange: (filter: Filter) => void;
  onKeys: () => void;
  onClose: () => void;
}) {
  const titleId = useId();
  const uploaderId = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t`Sort and filter`}</DialogTitle>
      <DialogContent>
        <Box sx={{ display: 'grid', gap: 5, mt: 4 }}>
          <Choices
            legend={t`Sort by`}
            value={filter.sort}
            choices={sorts(managed)}
            onChange={(sort) => onChange({ ...filter, sort })}
          />
          <Choices
            legend={t`State`}
            value={filter.status}
            choices={statuses(managed)}
            onChange={(status) => onChange({ ...filter, status })}
          />
          {uploaders.length > 0 && (
            <Box>
              <Box
                component="label"
                htmlFor={uploaderId}
                sx={{ display: 'block', mb: 1.5, fontSize: 14, fontWeight: 600 }}
              >
                {t`Uploaded by`}
              </Box>
              <NativeSelect
                value={filter.uploader}
                onChange={({ target }) => onChange({ ...filter, uploader: target.value })}
                input={<OutlinedInput />}
                inputProps={{ id: uploaderId }}
                fullWidth
              >
                <option value="">{t`Uploaded by everybody`}</option>
                {uploaders.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </NativeSelect>
            </Box>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onKeys} sx={{ mr: 'auto', '@media (hover: none)': { display: 'none' } }}>
          {t`Keys`}
        </Button>
        <Button
          onClick={() => onChange({ ...noFilter, name: filter.name, album: filter.album })}
        >{t`Reset`}</Button>
        <Button variant="contained" color="ink" autoFocus onClick={onClose}>
          {t`Done`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
