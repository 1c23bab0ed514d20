import { i18n } from '@lingui/core';

const megabyte = 1_048_576;

const formatUnit = (value: number, unit: string, digits: number): string =>
  i18n.number(value, {
    style: 'unit',
    unit,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** '9.8 MB', '1.4 GB', with 1 MB = 1048576 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000 * 1024) return formatUnit(Math.max(1, bytes / 1024), 'kilobyte', 0);
  if (bytes < 1000 * megabyte) return formatUnit(bytes / megabyte, 'megabyte', 1);
  return formatUnit(bytes / (1024 * megabyte), 'gigabyte', 1);
}
