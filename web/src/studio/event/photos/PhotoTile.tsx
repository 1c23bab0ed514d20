import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import { memo, useState } from 'react';
import { sameOrigin } from '../../../platform/api/links';
import { refusalText } from '../../../platform/api/refusals';
import type { Stacked } from '../../../platform/stacks';
import { positionIn, renditionSize } from '../../../platform/renditions';
import type { Photo } from '../../../platform/api/types';
import { ProgressBar } from '../../../ui/ProgressBar';
import { Icon } from '../../../ui/Icon';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { HeartMark } from './HeartMark';
import { HeldMark } from './HeldMark';
import { SharpnessMark } from './SharpnessMark';
import { StackMark } from './StackMark';
import { RetryButton } from './RetryButton';

export type ModifierKeys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>;

const facesText = (count: number) => plural(count, { one: '# face', other: '# faces' });

/** `isMarked`: there is a mark at the beginning of its line. */
function Caption({ photo, isMarked }: { photo: Photo; isMarked: boolean }) {
  return (
    <Box
      className="caption"
      sx={{
        position: 'absolute',
        inset: 'auto 0 0 0',
        display: 'flex',
        justifyContent: 'space-between',
        gap: 2,
        p: '36px 12px 10px',
        pl: isMarked ? '64px' : '12px',
        fontSize: 13,
        color: '#FFFFFF',
        background: 'linear-gradient(transparent, rgb(0 0 0 / .72))',
        opacity: 0,
        transition: 'opacity 120ms',
        pointerEvents: 'none',
      }}
    >
      <Box
        component="span"
        aria-hidden="true"
        sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {photo.original_filename}
      </Box>
      {photo.status === 'ready' && (
        <Box component="span" sx={{ flex: 'none' }}>
          {facesText(photo.faces)}
        </Box>
      )}
    </Box>
  );
}

/** What a client says of the photo, where their selection is shown. */
const Comment = ({ text }: { text: string }) => (
  <Box
    component="span"
    sx={{
      position: 'absolute',
      inset: 'auto 0 0 0',
      p: '6px 10px 8px',
      fontSize: 13,
      lineHeight: 1.35,
      textAlign: 'start',
      color: '#FFFFFF',
      backgroundColor: 'rgb(14 14 14 / .78)',
      display: '-webkit-box',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: '3',
    }}
  >
    <VisuallyHidden>{t`Comment of the client:`}</VisuallyHidden> {text}
  </Box>
);

/** What a tile says of a photo in its corner. */
function Mark({ photo, showsSharpness }: { photo: Photo; showsSharpness: boolean }) {
  if (showsSharpness && photo.sharpness != null) return <SharpnessMark sharpness={photo.sharpness} />;
  if (photo.held) return <HeldMark />;
  return photo.hearts > 0 && <HeartMark count={photo.hearts} />;
}

/** What a failed photo's button takes at the bottom of its tile, in pixels. */
const buttonSpace = 42;

/** In a small tile the icon gives way to the text, and the text to the room that the button needs. */
const failureText = ({ failure, failure_code: code }: Photo): string =>
  refusalText({ ...(failure != null && { message: failure }), ...(code != null && { code }) }) ??
  t`Could not be read`;

function BrokenImage({ text, hasButton = false }: { text: string; hasButton?: boolean }) {
  return (
    <Box
      title={text}
      sx={{
        position: 'absolute',
        inset: 0,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 1.5,
        p: 2,
        pb: hasButton ? `${buttonSpace}px` : 2,
        fontSize: 14,
        textAlign: 'center',
        color: 'text.secondary',
        border: 1,
        borderColor: 'divider',
        borderRadius: '4px',
        '& svg': { flex: 'none', color: 'error.main' },
        '@container tile (max-height: 139px)': {
          p: 1,
          pb: hasButton ? `${buttonSpace}px` : 1,
          fontSize: 12,
          '& svg': { display: 'none' },
        },
      }}
    >
      <Icon name="brokenPicture" size={24} />
      <Box
        component="span"
        sx={{
          display: '-webkit-box',
          overflow: 'hidden',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: '3',
          '@container tile (max-height: 99px)': { WebkitLineClamp: '1' },
        }}
      >
        {text}
      </Box>
    </Box>
  );
}

interface Source {
  src: string;
  srcSet?: string;
  /** Whether it is of a photo that has no renditions yet. */
  early?: boolean;
}

/** The picture of a photo, and the larger one for screens of many pixels; null while there is none. */
function sourceOf(photo: Photo): Source | null {
  const { thumbnail_url: thumbnail, medium_url: medium, early_url: early } = photo;
  if (thumbnail == null) return early == null ? null : { src: sameOrigin(early), early: true };
  const src = sameOrigin(thumbnail);
  const [small, large] = [renditionSize(photo, 'thumbnail').width, renditionSize(photo, 'medium').width];
  if (medium == null || large <= small) return { src };
  return { src, srcSet: [`${src} ${small}w`, `${sameOrigin(medium)} ${large}w`].join(', ') };
}

/**
 * A photo of the grid, with its size reserved before the image loads, and its processing status. A grid has dozens of them, and
 * is rendered again with each row that is scrolled into sight.
 */
export const PhotoTile = memo(function PhotoTile({
  photo,
  width,
  atOnce,
  selected,
  selecting,
  showsSharpness,
  stack,
  onPress,
  onSelect,
  onStack,
  onBest,
}: {
  photo: Photo;
  /** Of the tile, in pixels. */
  width: number;
  /** Whether its picture is among the first that are seen. */
  atOnce: boolean;
  selected: boolean;
  /** Pressing the photo selects it. */
  selecting: boolean;
  /** In the place of other marks. */
  showsSharpness: boolean;
  /** How the list shows it where others of it are alike. */
  stack: Stacked | undefined;
  onPress: (id: string, keys: ModifierKeys) => void;
  onSelect: (id: string, keys: ModifierKeys) => void;
  /** Shows the photos of a stack, or only the best of them. */
  onStack: (stack: string) => void;
  /** Has the photo stand for its stack; null for whoever does not choose that. */
  onBest: ((photo: Photo) => void) | null;
}) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  // Each response has newly signed links; keep the first one, or the image would reload on every refetch.
  const newest = sourceOf(photo);
  const [source, setSource] = useState(newest);
  /** The link that failed last. */
  const [gone, setGone] = useState<string | null>(null);
  const replaced = source === null || (source.early && !newest?.early) || source.src === gone;
  if (newest !== null && newest.src !== gone && replaced) setSource(newest);
  const name = photo.original_filename;
  const processing = photo.status === 'processing';
  const failed = photo.status === 'failed';
  return (
    <Box
      // On a failed photo stands a text, whose contrast is that with the default.
      style={{ backgroundColor: failed ? undefined : (photo.average_color ?? undefined) }}
      sx={(theme) => ({
        position: 'relative',
        width: '100%',
        height: '100%',
        borderRadius: '4px',
        backgroundColor: theme.vars.palette.sunken,
        containerName: 'tile',
        containerType: 'size',
        ...(selected && {
          zIndex: 1,
          boxShadow: `0 0 0 3px ${theme.vars.palette.background.default}, 0 0 0 6px ${theme.vars.palette.primary.main}`,
        }),
        '&:hover .caption, &:focus-within .caption': { opacity: 1 },
        '& .choose': { opacity: selecting ? 1 : 0, transition: 'opacity 120ms' },
        '&:hover .choose, &:focus-within .choose': { opacity: 1 },
        // Without a pointer to hover with, check boxes would cover the faces of every photo.
        '@media (hover: none)': { '& .choose': { display: selecting ? 'inline-flex' : 'none' } },
      })}
    >
      <ButtonBase
        onClick={(event) => onPress(photo.id, event)}
        sx={{ position: 'absolute', inset: 0, width: '100%', borderRadius: '4px', overflow: 'hidden' }}
      >
        <VisuallyHidden>{selecting ? t`Select ${name}` : t`Open ${name}`}</VisuallyHidden>
        {/* Until the picture of a newer link is there, it says that the older one failed. */}
        {source !== null && (state !== 'broken' || source.src !== gone) && !failed && (
          <Box
            component="img"
            src={source.src}
            srcSet={source.srcSet}
            sizes={`${Math.ceil(width)}px`}
            alt=""
            width={photo.width}
            height={photo.height}
            loading={atOnce ? 'eager' : 'lazy'}
            fetchPriority={atOnce ? 'high' : undefined}
            decoding="async"
            style={{ objectPosition: positionIn(photo.focus, photo.width, photo.height) }}
            onLoad={() => setState('shown')}
            onError={() => {
              setGone(source.src);
              // A photo that is processing can be between two states: the next response has a link to try.
              if (!processing) setState('broken');
            }}
            sx={{
              display: 'block',
              width: '100%',
              height: '100%',
              objectFit: 'cover',
              // Of an extreme shape whose faces are not known the lower part is cropped: they tend to be in the upper one.
              objectPosition: '50% 20%',
              opacity: state === 'shown' ? 1 : 0,
              transition: 'opacity 200ms',
            }}
          />
        )}
        {failed ? (
          <BrokenImage text={failureText(photo)} hasButton={!selecting} />
        ) : (
          state === 'broken' && <BrokenImage text={t`Failed to load`} />
        )}
        {processing && (
          <Box
            sx={{
              position: 'absolute',
              inset: 'auto 0 0 0',
              display: 'grid',
              gap: 1,
              p: '28px 10px 8px',
              background: 'linear-gradient(transparent, rgb(0 0 0 / .72))',
              fontSize: 12,
              textAlign: 'left',
              color: '#FFFFFF',
              textShadow: '0 1px 3px rgb(0 0 0 / .7)',
            }}
          >
            {t`Finding faces`}
            <ProgressBar label={t`Finding faces in ${name}`} tone="lit" />
          </Box>
        )}
        <Mark photo={photo} showsSharpness={showsSharpness} />
        {!processing && <Caption photo={photo} isMarked={stack !== undefined} />}
        {photo.client_comment != null && <Comment text={photo.client_comment} />}
      </ButtonBase>
      {stack?.isOpen && (
        <Box
          component="span"
          sx={(theme) => ({
            position: 'absolute',
            inset: 0,
            border: `3px solid ${theme.vars.palette.primary.main}`,
            borderRadius: '4px',
            pointerEvents: 'none',
          })}
        />
      )}
      {stack !== undefined && (
        <StackMark
          stack={stack}
          name={name}
          onToggle={() => onStack(stack.id)}
          onBest={onBest && (() => onBest(photo))}
        />
      )}
      {failed && !selecting && <RetryButton photo={photo} />}
      <Checkbox
        className="choose"
        checked={selected}
        // The event behind a change of a check box is a click.
        onChange={({ nativeEvent }) => onSelect(photo.id, nativeEvent as MouseEvent)}
        disableRipple
        icon={
          <Box
            component="span"
            sx={{ width: 22, height: 22, borderRadius: '6px', border: '2px solid #FFFFFF' }}
          />
        }
        checkedIcon={
          <Box
            component="span"
            sx={(theme) => ({
              display: 'grid',
              placeItems: 'center',
              width: 22,
              height: 22,
              borderRadius: '6px',
              color: theme.vars.palette.primary.contrastText,
              backgroundColor: theme.vars.palette.primary.main,
            })}
          >
            <Icon name="check" size={16} />
          </Box>
        }
        slotProps={{ input: { 'aria-label': t`Select ${name}` } }}
        sx={{
          position: 'absolute',
          top: 6,
          left: 6,
          width: 40,
          height: 40,
          borderRadius: '10px',
          backgroundColor: 'rgb(14 14 14 / .62)',
          '&:hover': { backgroundColor: 'rgb(14 14 14 / .8)' },
        }}
      />
    </Box>
  );
});
