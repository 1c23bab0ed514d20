/** Whether the text can be typed as an amount: digits with at most two decimals. */
export const isPartialAmount = (text: string): boolean => /^\d*(\.\d{0,2})?$/u.test(text);

/** What is left of a price in rupees; a discount above the price leaves nothing, and gives nothing back. */
export const leftToPay = (price: number, discount: number): number => Math.max(0, price - discount);

/** Parses an amount in rupees; null if it is not greater than 0. */
export function parseRupees(text: string): number | null {
  const rupees = Number(text);
  return text.trim() !== '' && Number.isFinite(rupees) && rupees > 0 ? rupees : null;
}
