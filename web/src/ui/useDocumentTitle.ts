import { useEffect } from 'react';
import { siteName } from '../platform/siteName';

/** Sets the document title while the page is mounted. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title]);
}
