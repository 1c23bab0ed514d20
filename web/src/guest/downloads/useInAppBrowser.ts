import { useEffect, useState } from 'react';
import type { InAppBrowser } from './inAppBrowsers';

/** The in-app browser of this page; null in a browser of its own, and until that is known. */
export function useInAppBrowser(): InAppBrowser | null {
  const [browser, setBrowser] = useState<InAppBrowser | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const [response, { currentInAppBrowser, parseInAppBrowsers }] = await Promise.all([
          fetch('/in-app-browsers.json', { signal: controller.signal }),
          import('./inAppBrowsers'),
        ]);
        if (!response.ok) return;
        const browsers = parseInAppBrowsers(await response.json());
        if (!controller.signal.aborted) setBrowser(currentInAppBrowser(browsers));
      } catch {
        // Without the list the page saves as in any other browser.
      }
    };
    void load();
    return () => controller.abort();
  }, []);
  return browser;
}
