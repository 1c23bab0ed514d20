import { plural, t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { room } from '../../ui/theme/tokens';
import { Button } from '../Button';
import { FaceCrop, useImageSize } from '../capture/FaceCrop';
import { PhotoPicker } from '../capture/PhotoPicker';
import { SplitLayout } from '../SplitLayout';
import text from '../text.module.css';
import { ViewTitle } from '../ViewTitle';
import styles from './FaceChooser.module.css';
import type { FaceBox } from './matches';

interface NumberedFace {
  face: FaceBox;
  /** Its place in the server's answer. */
  index: number;
  /** Its place in the picture from the left, from 1. */
  number: number;
}

const centreOf = ({ x, width }: FaceBox) => x + width / 2;

/** The faces from left to right, as people would count them. */
const numberedFaces = (faces: readonly FaceBox[], left: number | null): NumberedFace[] =>
  faces
    .map((face, index) => ({ face, index }))
    .sort((one, other) => centreOf(one.face) - centreOf(other.face))
    .map((each, at) => ({ ...each, number: at + 1 }))
    .filter(({ index }) => index !== left);

/** The selfie with a numbered box around each face. */
function NumberedSelfie({
  preview,
  size,
  faces,
  chosen,
  onChoose,
}: {
  preview: string;
  size: { width: number; height: number };
  faces: readonly NumberedFace[];
  chosen: number;
  onChoose: (face: number) => void;
}) {
  const unit = Math.max(size.width, size.height) / 100;
  return (
    <div className={styles['stage']} aria-hidden="true">
      <img className={styles['behind']} src={preview} alt="" />
      <svg viewBox={`0 0 ${size.width} ${size.height}`}>
        <image href={preview} width={size.width} height={size.height} />
        {faces.map(({ face, index, number }) => {
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
                {number}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const countText = (faces: number): string =>
  plural(faces, {
    2: 'There are two faces here.',
    3: 'There are three faces here.',
    4: 'There are four faces here.',
    5: 'There are five faces here.',
    6: 'There are six faces here.',
    7: 'There are seven faces here.',
    8: 'There are eight faces here.',
    9: 'There are nine faces here.',
    10: 'There are ten faces here.',
    one: 'There is # face here.',
    other: 'There are # faces here.',
  });

/** 'Which one is you?': the faces of a selfie, with the suggested one preselected; or the same for somebody else. */
export function FaceChooser({
  preview,
  faces,
  onFind,
  onNewPhoto,
  onPick,
  title = t`Which one is you?`,
  action = t`Find me`,
  except = null,
}: {
  preview: string | null;
  faces: FaceBox[];
  onFind: (face: number) => void;
  onNewPhoto: () => void;
  onPick: (file: File) => void;
  title?: string;
  action?: string;
  /** The face that cannot be chosen. */
  except?: number | null;
}) {
  const [chosen, setChosen] = useState(except === 0 ? 1 : 0);
  const size = useImageSize(preview);
  const loaded = preview !== null && size !== null ? { preview, size } : null;
  const numbered = useMemo(() => numberedFaces(faces, except), [faces, except]);
  return (
    <SplitLayout
      labelledBy="which-one"
      image={
        loaded !== null && (
          <NumberedSelfie {...loaded} faces={numbered} chosen={chosen} onChoose={setChosen} />
        )
      }
    >
      <ViewTitle component="h1" id="which-one" large>
        {title}
      </ViewTitle>
      <p className={`${text['subtitle']} ${styles['count']}`}>{countText(faces.length)}</p>
      <div
        className={styles['faces']}
        role="radiogroup"
        aria-labelledby="which-one"
        data-rows={faces.length > 6 ? 2 : 1}
      >
        {numbered.map(({ face, index, number }) => (
          <label className={styles['face']} key={index}>
            <input
              type="radio"
              name="face"
              checked={chosen === index}
              onChange={() => setChosen(index)}
              aria-label={t`Face ${number}`}
            />
            <span className={styles['disc']} aria-hidden="true">
              {loaded !== null && <FaceCrop {...loaded} face={face} />}
            </span>
            <span aria-hidden="true">{t`Face ${number}`}</span>
          </label>
        ))}
      </div>
      <Button look="filled" size="large" onClick={() => onFind(chosen)}>
        {action}
      </Button>
      <div className={styles['others']}>
        <Button onClick={onNewPhoto}>
          <Icon name="camera" />
          {t`Take New Photo`}
        </Button>
        <PhotoPicker look="link" onPick={onPick}>
          {t`upload a different photo`}
        </PhotoPicker>
      </div>
    </SplitLayout>
  );
}
