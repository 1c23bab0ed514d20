/** Breaks a text into lines that fit, at most `maxLines`; the last one ends with '…' if something is left. */
export function wrapText(text: string, fits: (line: string) => boolean, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  // A word that is longer than a line, or a script without spaces, is broken at any character.
  for (const part of text.trim().match(/\S+\s*/gu) ?? []) {
    if (fits((line + part).trimEnd())) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const character of part) {
      if (!fits((line + character).trimEnd())) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  lines.push(line.trimEnd());
  if (lines.length <= maxLines) return lines;
  let last = lines[maxLines - 1] ?? '';
  while (last !== '' && !fits(`${last}…`)) last = Array.from(last).slice(0, -1).join('');
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`];
}
