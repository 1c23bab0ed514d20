import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Icon } from '../../shared/components/Icon';
import { room } from '../../shared/theme/tokens';
import type { FaceBox } from './matches';
import { SplitLayout } from './SplitLayout';
import { PhotoPicker } from './PhotoPicker';
import { ViewTitle } from './ViewTitle';

interface Size {
  width: number;
  height: number;
}

/** The size of an image in px; null until it is loaded. */
function useImageSize(picture: string | null): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (picture === null) return undefined;
    const image = new Image();
    image.onload = () => setSize({ width: image.naturalWidth, height: image.naturalHeight });
    image.src = picture;
    return () => {
      image.onload = null;
    };
  }, [picture]);
  return size;
}

const ImageStage = styled('div')({
  position: 'absolute',
  inset: 0,
  backgroundColor: room.ground,
  '& .behind': {
    position: 'absolute',
    inset: -24,
    width: 'calc(100% + 48px)',
    height: 'calc(100% + 48px)',
    objectFit: 'cover',
    filter: 'blur(18px) brightness(.55)',
  },
  '& svg': {
    position: 'absolute',
    inset: '64px 0 40px',
    width: '100%',
    height: 'calc(100% - 104px)',
    overflow: 'visible',
  },
  '& rect': { cursor: 'pointer', vectorEffect: 'non-scaling-stroke' },
  '& text': { fontFamily: 'inherit', fontWeight: 600, pointerEvents: 'none' },
});

/** The selfie with a numbered box around each face. */
function NumberedSelfie({
  preview,
  size,
  faces,
  chosen,
  onChoose,
}: {
  preview: string;
  size: Size;
  faces: FaceBox[];
  chosen: number;
  onChoose: (face: number) => void;
}) {
  const unit = Math.max(size.width, size.height) / 100;
  return (
    <ImageStage aria-hidden="true">
      <img className="behind" src={preview} alt="" />
      <svg viewBox={`0 0 ${size.width} ${size.height}`}>
        <image href={preview} width={size.width} height={size.height} />
        {faces.map((face, index) => {
          const on = index === chosen;
          const x = face.x * size.width;
          const y = face.y * size.height;
          const width = face.width * size.width;
          const height = face.height * size.height;
          return (
            <g key={index} onClick={() => onChoose(index)}>
              <rect
                x={x}
                y={y}
                width={width}
                height={height}
                rx={unit * 2}
                fill="transparent"
                stroke={on ? room.lit : 'rgb(255 255 255 / .85)'}
                strokeWidth={on ? 3 : 2}
              />
              <circle cx={x + width / 2} cy={y + height} r={unit * 2.6} fill={on ? room.lit : '#FFFFFF'} />
              <text
                x={x + width / 2}
                y={y + height}
                dy=".35em"
                textAnchor="middle"
                fontSize={unit * 2.8}
                fill={room.onLit}
              >
                {index + 1}
              </text>
            </g>
          );
        })}
      </svg>
    </ImageStage>
  );
}

const Faces = styled('div')({
  display: 'grid',
  gridAutoFlow: 'column',
  gridAutoColumns: 'minmax(98px, 1fr)',
  gap: 8,
  margin: '18px -20px 20px',
  padding: '4px 20px',
  overflowX: 'auto',
  '&[data-rows="2"]': { gridTemplateRows: 'auto auto' },
});

const Face = styled('label')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  justifyItems: 'center',
  gap: 8,
  fontSize: 14,
  fontWeight: 500,
  color: theme.vars.palette.text.secondary,
  cursor: 'pointer',
  '& input': { position: 'absolute', opacity: 0 },
  '& .disc': {
    width: 92,
    height: 92,
    overflow: 'hidden',
    borderRadius: '50%',
    border: '3px solid transparent',
    boxShadow: `0 0 0 1px ${theme.vars.palette.divider}`,
    backgroundColor: theme.vars.palette.sunken,
  },
  '&:has(:checked)': { color: theme.vars.palette.text.primary, fontWeight: 600 },
  '&:has(:checked) .disc': {
    borderColor: theme.vars.palette.background.paper,
    boxShadow: `0 0 0 3px ${theme.vars.palette.primary.main}`,
  },
  '&:has(:focus-visible) .disc': {
    outline: `3px solid ${theme.vars.palette.primary.main}`,
    outlineOffset: 5,
  },
}));

/** A square around a face, wide enough to recognise it. */
function cropOf(face: FaceBox, size: Size): string {
  const side = Math.max(face.width * size.width, face.height * size.height) * 1.35;
  const x = (face.x + face.width / 2) * size.width - side / 2;
  const y = (face.y + face.height / 2) * size.height - side / 2;
  return `${x} ${y} ${side} ${side}`;
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** 'Which one is you?': the faces of a selfie, with the suggested one preselected. */
export function FaceChooser({
  preview,
  faces,
  onFind,
  onNewPhoto,
  onPick,
}: {
  preview: string | null;
  faces: FaceBox[];
  onFind: (face: number) => void;
  onNewPhoto: () => void;
  onPick: (file: File) => void;
}) {
  const [chosen, setChosen] = useState(0);
  const size = useImageSize(preview);
  const loaded = preview !== null && size !== null ? { preview, size } : null;
  return (
    <SplitLayout
      labelledBy="which-one"
      image={
        loaded !== null && <NumberedSelfie {...loaded} faces={faces} chosen={chosen} onChoose={setChosen} />
      }
    >
      <ViewTitle component="h1" id="which-one" large>
        Which one is you?
      </ViewTitle>
      <Typography variant="subtitle1" component="p" color="textSecondary" sx={{ mt: 1.5 }}>
        There are {numberWords[faces.length] ?? faces.length} faces here.
      </Typography>
      <Faces role="radiogroup" aria-labelledby="which-one" data-rows={faces.length > 6 ? 2 : 1}>
        {faces.map((face, index) => (
          <Face key={index}>
            <input
              type="radio"
              name="face"
              checked={chosen === index}
              onChange={() => setChosen(index)}
              aria-label={`Face ${index + 1}`}
            />
            <span className="disc" aria-hidden="true">
              {loaded !== null && (
                <svg viewBox={cropOf(face, loaded.size)} width="100%" height="100%">
                  <image href={loaded.preview} width={loaded.size.width} height={loaded.size.height} />
                </svg>
              )}
            </span>
            <span aria-hidden="true">Face {index + 1}</span>
          </Face>
        ))}
      </Faces>
      <Button variant="contained" color="primary" size="xl" onClick={() => onFind(chosen)}>
        Find me
      </Button>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'center',
          columnGap: 1,
          mt: 2,
          fontSize: 14,
        }}
      >
        <Button onClick={onNewPhoto} sx={{ px: 2.5 }}>
          <Icon name="camera" />
          Take New Photo
        </Button>
        <PhotoPicker look="link" onPick={onPick}>
          upload a different photo
        </PhotoPicker>
      </Box>
    </SplitLayout>
  );
}
