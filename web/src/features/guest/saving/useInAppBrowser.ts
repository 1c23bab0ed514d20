import { useEffect, useState } from 'react';
import { currentInAppBrowser, type InAppBrowser, parseInAppBrowsers } from './inAppBrowsers';

/** The in-app browser of this page; null in a browser of its own, and until that is known. */
export function useInAppBrowser(): InAppBrowser | null {
  const [browser, setBrowser] = useState<InAppBrowser | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      try {
        const response = await fetch('/in-app-browsers.json', { signal: controller.signal });
        if (response.ok) setBrowser(currentInAppBrowser(parseInAppBrowsers(await response.json())));
      } catch {
        // Without the list the page saves as in any other browser.
      }
    };
    void load();
    return () => controller.abort();
  }, []);
  return browser;
}
