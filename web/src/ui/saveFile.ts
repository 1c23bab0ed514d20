/** Starts a browser download. `href` is a data, blob or plain URL; an empty `name` leaves the name to the server. */
export function saveFile(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveFile(url, name);
  // The browser reads the blob after the click; a minute is long enough.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
