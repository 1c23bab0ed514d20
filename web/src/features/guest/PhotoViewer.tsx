import { useMemo, useState } from 'react';
import Lightbox from 'yet-another-react-lightbox';
import 'yet-another-react-lightbox/styles.css';
import { sameOrigin } from '../../shared/api/links';
import { DownloadDisc } from './DownloadDisc';
import { idOf, type Match } from './matches';
import type { Downloads } from './useDownloads';

export interface PhotoViewerProps {
  matches: readonly Match[];
  /** The photo to begin with, counted from 0. */
  start: number;
  downloads: Downloads;
  onClose: () => void;
}

/** One photo over the whole screen: arrow keys and swipes go on, Escape and a pull down close. */
export default function PhotoViewer({ matches, start, downloads, onClose }: PhotoViewerProps) {
  const [index, setIndex] = useState(start);
  const match = matches[index];
  const slides = useMemo(
    () =>
      matches.map((each, at) => ({
        src: sameOrigin(each.url ?? each.thumbnail_url ?? ''),
        alt: `Photo ${at + 1} of ${matches.length}`,
        ...(each.width > 0 && each.height > 0 && { width: each.width, height: each.height }),
      })),
    [matches],
  );
  return (
    <Lightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      on={{ view: ({ index: at }) => setIndex(at) }}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      animation={
        window.matchMedia('(prefers-reduced-motion: reduce)').matches ? { fade: 0, swipe: 0 } : { fade: 200 }
      }
      toolbar={{
        buttons: [
          match !== undefined && (
            <DownloadDisc
              key="download"
              place={index + 1}
              state={downloads.states[idOf(match)]}
              saved={downloads.saved.has(idOf(match))}
              onDownload={() => downloads.download(match, index + 1)}
              onCancel={() => downloads.cancel(match)}
            />
          ),
          'close',
        ],
      }}
    />
  );
}
