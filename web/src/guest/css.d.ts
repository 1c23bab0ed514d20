import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The number of grid rows that a tile spans. */
    '--rows'?: number;
    /** The animation delay of a tile, with its unit. */
    '--delay'?: string;
  }
}
