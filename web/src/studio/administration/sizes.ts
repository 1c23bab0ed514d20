import { i18n } from '@lingui/core';
import { formatBytes } from '../../platform/bytes';

const gigabyte = 1_073_741_824;

/** Bytes for people; a dash where nobody knows how many. */
export const sizeText = (bytes: number | null | undefined): string =>
  bytes == null
    ? '–'
    : bytes === 0
      ? '0'
      : bytes < 1000 * gigabyte
        ? formatBytes(bytes)
        : i18n.number(bytes / (1024 * gigabyte), {
            style: 'unit',
            unit: 'terabyte',
            minimumFractionDigits: 1,
            maximumFractionDigits: 1,
          });
