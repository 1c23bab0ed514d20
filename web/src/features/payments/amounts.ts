/** What may be typed into the amount: digits with at most two decimals. */
export const isTypable = (text: string): boolean => /^\d*(\.\d{0,2})?$/u.test(text);

/** The rupees of a typed amount; null when it is not greater than 0. */
export function rupeesOf(text: string): number | null {
  const rupees = Number(text);
  return text.trim() !== '' && Number.isFinite(rupees) && rupees > 0 ? rupees : null;
}
