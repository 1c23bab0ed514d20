import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../shared/components/Icon';

const side = 96;

let lastDrawing = Promise.resolve();

/** Runs `draw` after all drawings before it: a decoded photo of 24 megapixels is 100 MB, one at a time is enough. */
function inTurn(draw: () => Promise<void>): void {
  // What the browser cannot decode keeps its symbol; the server reads more formats than the browser.
  lastDrawing = lastDrawing.then(draw).catch(() => undefined);
}

/** A small picture of a file, decoded small so that a list of originals does not fill the memory. */
export function FileThumbnail({ file, dim }: { file: File; dim: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);

  useEffect(() => {
    const left = new AbortController();
    const isGone = () => left.signal.aborted;
    inTurn(async () => {
      if (isGone()) return;
      const bitmap = await createImageBitmap(file, { resizeWidth: side, resizeQuality: 'medium' });
      const context = canvas.current?.getContext('2d');
      if (!isGone() && context) {
        const scale = Math.max(side / bitmap.width, side / bitmap.height);
        const width = bitmap.width * scale;
        const height = bitmap.height * scale;
        context.drawImage(bitmap, (side - width) / 2, (side - height) / 2, width, height);
        setDrawn(true);
      }
      bitmap.close();
    });
    return () => {
      left.abort();
    };
  }, [file]);

  return (
    <Box
      component="span"
      sx={{
        position: 'relative',
        display: 'grid',
        placeItems: 'center',
        width: 48,
        height: 48,
        borderRadius: '4px',
        overflow: 'hidden',
        color: 'text.disabled',
        backgroundColor: 'sunken',
        opacity: dim ? 0.45 : 1,
      }}
    >
      {!drawn && <Icon name="picture" />}
      <Box
        component="canvas"
        ref={canvas}
        width={side}
        height={side}
        aria-hidden="true"
        sx={{
          position: 'absolute',
          inset: 0,
          width: '100%',
          height: '100%',
          visibility: drawn ? 'visible' : 'hidden',
        }}
      />
    </Box>
  );
}
