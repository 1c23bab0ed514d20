import { useEffect } from 'react';

/** Sets the document title while the page is mounted. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Afterglow`;
  }, [title]);
}
