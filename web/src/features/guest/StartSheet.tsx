import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Icon } from '../../shared/components/Icon';
import { Alert } from '../../shared/components/Alert';
import { type CameraFailure, cameraFailureTexts } from './camera';
import { IndexingProgress } from './IndexingProgress';
import type { Indexing } from './matches';
import { privacyNoticeText } from './privacyNotice';
import { PhotoPicker } from './PhotoPicker';
import { isTouchDevice } from '../../shared/components/isTouchDevice';
import { ViewTitle } from './ViewTitle';

const PrivacyLink = styled(Link)(({ theme }) => ({
  fontWeight: 600,
  color: theme.vars.palette.text.primary,
  textDecorationColor: theme.vars.palette.control,
  textDecorationThickness: 1,
  textUnderlineOffset: 4,
}));

/** The sheet before the camera opens: instructions, indexing progress and privacy notice. */
export function StartSheet({
  titleId,
  adding,
  indexing,
  cameraFailure,
  opening,
  onOpenCamera,
  onPick,
  onBack,
}: {
  titleId: string;
  /** The selfie is added to the previous ones. */
  adding: boolean;
  indexing: Indexing;
  cameraFailure: CameraFailure | null;
  opening: boolean;
  onOpenCamera: () => void;
  onPick: (file: File) => void;
  onBack: () => void;
}) {
  const ready = indexing.total > 0;
  return (
    <>
      <ViewTitle id={titleId} large>
        Find Your Photos
      </ViewTitle>
      {/* Hidden when the camera failed, so that its message and both actions fit. */}
      {(adding || cameraFailure === null) && (
        <Typography variant="subtitle1" component="p" color="textSecondary" sx={{ mt: 1.5 }}>
          {adding ? (
            'Another selfie, from another side or in other light, finds more.'
          ) : (
            <>
              Take a selfie.
              <br />
              Every photo you’re in, in seconds.
            </>
          )}
        </Typography>
      )}
      <Box sx={{ mt: 3.5 }}>
        {ready ? (
          <IndexingProgress indexing={indexing} />
        ) : (
          <Typography variant="caption" component="p" color="textDisabled">
            The photos are not here yet. Come back a little later.
          </Typography>
        )}
      </Box>
      <Box
        sx={(theme) => ({
          display: 'flex',
          gap: 2.5,
          my: 4.5,
          fontSize: 14,
          lineHeight: 1.42,
          color: theme.vars.palette.text.secondary,
          '& svg': { mt: '1px', color: theme.vars.palette.text.disabled },
        })}
      >
        <Icon name="lock" />
        <span>
          {privacyNoticeText} <PrivacyLink to="/privacy">Privacy</PrivacyLink>
        </span>
      </Box>
      {cameraFailure !== null && (
        <Box sx={{ mb: 3 }}>
          <Alert tone="warning">{cameraFailureTexts[cameraFailure]}</Alert>
        </Box>
      )}
      {cameraFailure === null ? (
        <Button variant="contained" color="primary" size="xl" disabled={opening} onClick={onOpenCamera}>
          <Icon name="camera" size={24} />
          Open camera
        </Button>
      ) : (
        <PhotoPicker look="big" capture onPick={onPick}>
          <Icon name="camera" size={24} />
          {isTouchDevice() ? 'Take a selfie' : 'Choose a photo'}
        </PhotoPicker>
      )}
      <Box
        sx={(theme) => ({
          display: 'flex',
          justifyContent: 'center',
          alignItems: 'center',
          gap: 1.5,
          minHeight: 48,
          mt: 1.5,
          color: theme.vars.palette.text.secondary,
          '& label': { color: theme.vars.palette.text.primary },
        })}
      >
        or
        <PhotoPicker look="link" onPick={onPick}>
          upload a photo
        </PhotoPicker>
        {adding && <Button onClick={onBack}>Back</Button>}
      </Box>
    </>
  );
}
