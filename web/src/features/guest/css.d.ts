import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Rows of the results grid that a tile spans. */
    '--rows'?: number;
    /** Milliseconds after which a tile rises. */
    '--delay'?: string;
  }
}
