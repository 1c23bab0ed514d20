import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ChangeEvent, useRef, useState } from 'react';
import { type DropEvent, useDropzone } from 'react-dropzone';
import { ProgressBar } from '../../shared/components/ProgressBar';
import { Icon } from '../../shared/components/Icon';
import { useSnackbar } from '../../shared/components/useSnackbar';
import { VisuallyHidden } from '../../shared/components/VisuallyHidden';
import { formatCount } from '../../shared/formats';
import { isImage, readDropped } from './droppedFiles';

const formats = 'PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC';
const accept = {
  'image/*': ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tif', '.tiff', '.webp', '.heic', '.heif'],
};

const leftOut = (count: number) =>
  count === 1
    ? '1 file is no image and was left out.'
    : `${formatCount(count)} files are no images and were left out.`;
const notOpened = (count: number) =>
  count === 1 ? '1 file could not be opened.' : `${formatCount(count)} files could not be opened.`;

/** What the browser says of files: by a drop, by a drag over the page, or by a file chooser. */
const transferOf = (event: DropEvent): DataTransfer | null =>
  'dataTransfer' in event ? event.dataTransfer : null;

// Phones choose single photos; only a desk has folders to choose.
const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype;

/** Takes photos and whole folders by drop or by choice: a tall invitation while nothing runs, a strip while a batch does. */
export function DropZone({ tall, onFiles }: { tall: boolean; onFiles: (files: File[]) => void }) {
  const show = useSnackbar();
  const folderInput = useRef<HTMLInputElement>(null);
  /** Files found so far in what was dropped; null while nothing is being read. */
  const [reading, setReading] = useState<number | null>(null);

  const take = (files: File[], rejected: number) => {
    if (rejected > 0) show({ tone: 'error', text: leftOut(rejected) });
    if (files.length > 0) onFiles(files);
  };
  const filesOf = async (event: DropEvent): Promise<(File | DataTransferItem)[]> => {
    const transfer = transferOf(event);
    if (transfer === null) {
      const input = 'target' in event ? event.target : null;
      return input instanceof HTMLInputElement ? Array.from(input.files ?? []) : [];
    }
    // While files hover, the browser tells their types alone.
    if (!('type' in event) || event.type !== 'drop') return Array.from(transfer.items);
    try {
      const { files, unreadable } = await readDropped(transfer, setReading);
      if (unreadable > 0) show({ tone: 'error', text: notOpened(unreadable) });
      // The library would ask the disk for the size of every file in one go, which freezes the page.
      const images = files.filter(isImage);
      take(images, files.length - images.length);
      return [];
    } finally {
      setReading(null);
    }
  };
  const takeFolder = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = Array.from(currentTarget.files ?? []).filter(({ name }) => !name.startsWith('.'));
    currentTarget.value = '';
    const images = files.filter(isImage);
    take(images, files.length - images.length);
  };
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    noClick: true,
    noKeyboard: true,
    getFilesFromEvent: filesOf,
    onDrop: (files, rejections) => take(files, rejections.length),
  });
  const title =
    reading !== null
      ? `Reading: ${formatCount(reading)} ${reading === 1 ? 'file' : 'files'} found`
      : isDragActive
        ? 'Drop to upload'
        : tall
          ? 'Drop photos or folders here'
          : 'Drop more photos here';
  return (
    <Box
      {...getRootProps()}
      data-testid="drop-zone"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        flexDirection: tall ? 'column' : 'row',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: tall ? 'center' : 'left',
        gap: 5,
        p: tall ? { xs: '40px 20px', sm: '72px 24px' } : { xs: '18px', sm: '22px 24px' },
        borderRadius: '16px',
        border: `1.5px ${isDragActive ? 'solid' : 'dashed'} ${isDragActive ? theme.vars.palette.primary.main : theme.vars.palette.control}`,
        backgroundColor: isDragActive ? theme.vars.palette.soft.accent : theme.vars.palette.background.paper,
      })}
    >
      <input {...getInputProps({ 'aria-label': 'Choose photos' })} />
      <Box
        component="span"
        sx={(theme) => ({
          flex: 'none',
          display: 'grid',
          placeItems: 'center',
          width: 56,
          height: 56,
          borderRadius: '16px',
          color: theme.vars.palette.accentText,
          backgroundColor: isDragActive ? 'transparent' : theme.vars.palette.soft.accent,
        })}
      >
        <Icon name="upload" size={24} />
      </Box>
      <Box sx={{ flex: tall ? 'none' : 1, minWidth: 0 }}>
        <Typography sx={{ fontSize: 17, fontWeight: 600 }}>{title}</Typography>
        {reading !== null && (
          <Box sx={{ mt: 2.5 }}>
            <ProgressBar label="Reading the folders" />
          </Box>
        )}
        <VisuallyHidden role="status">{reading === null ? '' : 'Reading the folders'}</VisuallyHidden>
        <Typography variant="caption" component="p" color="textDisabled">
          {formats}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 2.5, width: { xs: '100%', sm: 'auto' } }}>
        {canChooseFolders && (
          <>
            <input
              ref={folderInput}
              type="file"
              hidden
              aria-label="Choose a folder of photos"
              {...{ webkitdirectory: '' }}
              onChange={takeFolder}
            />
            <Button
              variant="outlined"
              onClick={() => folderInput.current?.click()}
              sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
            >
              Choose folder
            </Button>
          </>
        )}
        <Button
          variant={tall ? 'contained' : 'outlined'}
          color={tall ? 'primary' : 'ink'}
          onClick={open}
          sx={{ width: { xs: '100%', sm: 'auto' } }}
        >
          Choose files
        </Button>
      </Box>
    </Box>
  );
}
