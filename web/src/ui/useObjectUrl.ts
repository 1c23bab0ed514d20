import { useEffect, useMemo } from 'react';

/** A URL of the bytes for as long as they are shown. */
export function useObjectUrl(bytes: Blob | undefined): string | undefined {
  const url = useMemo(() => (bytes === undefined ? undefined : URL.createObjectURL(bytes)), [bytes]);
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
}
