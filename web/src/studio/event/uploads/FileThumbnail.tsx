import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../ui/Icon';

const side = 96;

let drawQueue = Promise.resolve();

/** Runs drawings sequentially: a decoded photo of 24 megapixels takes 100 MB of memory. */
function enqueueDrawing(draw: () => Promise<void>): void {
  // A file that the browser cannot decode keeps its icon; the server reads more formats.
  drawQueue = drawQueue.then(draw).catch(() => undefined);
}

/** A thumbnail of a file, decoded at a small size to save memory. */
export function FileThumbnail({ file, dimmed }: { file: File; dimmed: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    const isUnmounted = () => controller.signal.aborted;
    enqueueDrawing(async () => {
      if (isUnmounted()) return;
      const bitmap = await createImageBitmap(file, { resizeWidth: side, resizeQuality: 'medium' });
      const context = canvas.current?.getContext('2d');
      if (!isUnmounted() && context) {
        const scale = Math.max(side / bitmap.width, side / bitmap.height);
        const width = bitmap.width * scale;
        const height = bitmap.height * scale;
        context.drawImage(bitmap, (side - width) / 2, (side - height) / 2, width, height);
        setDrawn(true);
      }
      bitmap.close();
    });
    return () => {
      controller.abort();
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
        opacity: dimmed ? 0.45 : 1,
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
