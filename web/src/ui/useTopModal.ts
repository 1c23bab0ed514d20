import { useSyncExternalStore } from 'react';

const modals = 'dialog[open], [aria-modal="true"]';

/** As {@link useTopModal}, at this moment. */
export const topModal = (): Element | null => [...document.querySelectorAll(modals)].at(-1) ?? null;

export const isOpenModal = (element: Element): boolean => element.isConnected && element.matches(modals);

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['open', 'aria-modal'],
  });
  return () => observer.disconnect();
}

/** The modal dialog that was opened last, ours or a library's; null if none is open. */
export const useTopModal = (): Element | null => useSyncExternalStore(subscribe, topModal, () => null);
