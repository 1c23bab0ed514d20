import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ChangeEvent, useRef, useState } from 'react';
import { type DropEvent, useDropzone } from 'react-dropzone';
import { ProgressBar } from '../../../ui/ProgressBar';
import { Icon } from '../../../ui/Icon';
import { isTouchDevice } from '../../../ui/isTouchDevice';
import { useSnackbar } from '../../../ui/useSnackbar';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';

import { readDroppedFiles } from './droppedFiles';
import {
  canPickFiles,
  canPickFolders,
  filesOf,
  type Handle,
  handlesOfDrop,
  pickFiles,
  pickFolder,
} from './fileHandles';

const formats = ['PNG', 'JPG', 'JPEG', 'GIF', 'BMP', 'TIFF', 'WEBP', 'HEIC', 'AVIF'].join(', ');
const accept = {
  'image/*': ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tif', '.tiff', '.webp', '.heic', '.heif', '.avif'],
};

const unreadableMessage = (count: number) =>
  plural(count, { one: '# file could not be opened.', other: '# files could not be opened.' });

/** The `DataTransfer` of a drag event; null for the event of a file input. */
const dataTransferOf = (event: DropEvent): DataTransfer | null =>
  'dataTransfer' in event ? event.dataTransfer : null;

// Browsers on phones cannot select directories.
const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype;

function invitationText(first: boolean): string {
  // On a touch screen nothing can be dropped.
  if (isTouchDevice()) return first ? t`Add photos from this device` : t`Add more photos`;
  return first ? t`Drop photos or folders here` : t`Drop more photos here`;
}

/** Takes files and directories by drag and drop or selection, whatever they are; expanded while no batch is running. */
export function DropZone({
  expanded,
  onFiles,
}: {
  expanded: boolean;
  /** With the handles by which they can be read again after a reload, in browsers that have such. */
  onFiles: (files: File[], handles: readonly Handle[]) => void;
}) {
  const show = useSnackbar();
  const folderInput = useRef<HTMLInputElement>(null);
  /** The number of dropped files found so far; null while nothing is being read. */
  const [reading, setReading] = useState<number | null>(null);

  const getFilesFromEvent = async (event: DropEvent): Promise<(File | DataTransferItem)[]> => {
    const transfer = dataTransferOf(event);
    if (transfer === null) {
      const input = 'target' in event ? event.target : null;
      return input instanceof HTMLInputElement ? Array.from(input.files ?? []) : [];
    }
    // During a drag, browsers only expose the types of the files.
    if (!('type' in event) || event.type !== 'drop') return Array.from(transfer.items);
    const handles = handlesOfDrop(transfer);
    try {
      const { files, unreadable } = await readDroppedFiles(transfer, setReading);
      if (unreadable > 0) show({ tone: 'error', text: unreadableMessage(unreadable) });
      // The library would read the size of every file at once, which blocks the page.
      onFiles(files, await handles);
      return [];
    } finally {
      setReading(null);
    }
  };
  const handleFolderChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = Array.from(currentTarget.files ?? []).filter(({ name }) => !name.startsWith('.'));
    currentTarget.value = '';
    onFiles(files, []);
  };
  /** Lets files be chosen by a dialog that gives handles of them, and otherwise by that of an input. */
  const pick = async (choice: Promise<Handle[] | null>, openInput: () => void) => {
    const handles = await choice;
    if (handles === null) openInput();
    if (handles === null || handles.length === 0) return;
    setReading(0);
    try {
      onFiles(await filesOf(handles), handles);
    } finally {
      setReading(null);
    }
  };
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    noClick: true,
    noKeyboard: true,
    getFilesFromEvent,
    onDrop: (files, rejections) => onFiles([...files, ...rejections.map(({ file }) => file)], []),
  });
  // The choice of a phone offers its camera and its photos; that of handles only files.
  const picks = !isTouchDevice();

  const title =
    reading !== null
      ? plural(reading, { one: 'Reading: # file found', other: 'Reading: # files found' })
      : isDragActive
        ? t`Drop to upload`
        : invitationText(expanded);
  return (
    <Box
      {...getRootProps()}
      data-testid="drop-zone"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        flexDirection: expanded ? 'column' : 'row',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: expanded ? 'center' : 'left',
        gap: 5,
        p: expanded ? { xs: '40px 20px', sm: '72px 24px' } : { xs: '18px', sm: '22px 24px' },
        borderRadius: '16px',
        border: `1.5px ${isDragActive ? 'solid' : 'dashed'} ${isDragActive ? theme.vars.palette.primary.main : theme.vars.palette.control}`,
        backgroundColor: isDragActive ? theme.vars.palette.soft.accent : theme.vars.palette.background.paper,
      })}
    >
      <input {...getInputProps({ 'aria-label': t`Choose photos` })} />
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
      <Box sx={{ flex: expanded ? 'none' : 1, minWidth: 0 }}>
        <Typography sx={{ fontSize: 17, fontWeight: 600 }}>{title}</Typography>
        {reading !== null && (
          <Box sx={{ mt: 2.5 }}>
            <ProgressBar label={t`Reading the folders`} />
          </Box>
        )}
        <VisuallyHidden role="status">{reading === null ? '' : t`Reading the folders`}</VisuallyHidden>
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
              aria-label={t`Choose a folder of photos`}
              {...{ webkitdirectory: '' }}
              onChange={handleFolderChange}
            />
            <Button
              variant="outlined"
              onClick={() => {
                const openInput = () => folderInput.current?.click();
                if (picks && canPickFolders()) void pick(pickFolder(), openInput);
                else openInput();
              }}
              sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
            >
              {t`Choose folder`}
            </Button>
          </>
        )}
        <Button
          variant={expanded ? 'contained' : 'outlined'}
          color={expanded ? 'primary' : 'ink'}
          onClick={() => {
            if (picks && canPickFiles()) void pick(pickFiles(accept), open);
            else open();
          }}
          sx={{ width: { xs: '100%', sm: 'auto' } }}
        >
          {t`Choose files`}
        </Button>
      </Box>
    </Box>
  );
}
