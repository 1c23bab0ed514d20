import { i18n } from '@lingui/core';

/** '45%' from 45. */
export const formatPercent = (percent: number): string => i18n.number(percent / 100, { style: 'percent' });

/** Rupees without the currency sign: whole, or with two decimals. */
export const formatAmount = (rupees: number): string =>
  i18n.number(rupees, {
    minimumFractionDigits: Number.isInteger(rupees) ? 0 : 2,
    maximumFractionDigits: Number.isInteger(rupees) ? 0 : 2,
  });

export const formatRupees = (rupees: number): string =>
  `${rupees < 0 ? '−' : ''}₹${formatAmount(Math.abs(rupees))}`;
