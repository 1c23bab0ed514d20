import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useDropzone } from 'react-dropzone';
import { Icon } from '../../shared/components/Icon';
import { useSnackbar } from '../../shared/components/snackbar';

const formats = 'PNG, JPG, JPEG, GIF, BMP, TIFF, WEBP, HEIC';
const accept = {
  'image/*': ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tif', '.tiff', '.webp', '.heic', '.heif'],
};

const leftOut = (count: number) =>
  count === 1 ? '1 file is no image and was left out.' : `${count} files are no images and were left out.`;

/** Takes photos by drop or by choice: a tall invitation while nothing runs, a strip while a batch does. */
export function DropZone({ tall, onFiles }: { tall: boolean; onFiles: (files: File[]) => void }) {
  const show = useSnackbar();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    noClick: true,
    noKeyboard: true,
    onDrop: (files, rejections) => {
      if (rejections.length > 0) show({ tone: 'error', text: leftOut(rejections.length) });
      if (files.length > 0) onFiles(files);
    },
  });
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
        <Typography sx={{ fontSize: 17, fontWeight: 600 }}>
          {isDragActive ? 'Drop to upload' : tall ? 'Drop photos here' : 'Drop more photos here'}
        </Typography>
        <Typography variant="caption" component="p" color="textDisabled">
          {formats}
        </Typography>
      </Box>
      <Button
        variant={tall ? 'contained' : 'outlined'}
        color={tall ? 'primary' : 'ink'}
        onClick={open}
        sx={{ width: { xs: '100%', sm: 'auto' } }}
      >
        Choose files
      </Button>
    </Box>
  );
}
