/** Marks a button that removes its entry of a list. */
export const removesEntry = { 'data-removes-entry': '' };

/** Marks the region in which the focus stays when one of its entries is removed. */
export const removalRegion = { 'data-removal-region': '' };

function focusContainer(region: HTMLElement): void {
  const container = region.closest<HTMLElement>('[role=dialog]') ?? document.getElementById('main');
  if (container === null) return;
  container.tabIndex = -1;
  container.focus({ preventScroll: true });
}

/**
 * Moves the focus before the entry of `button` is removed: to the button of the next entry, else of the previous one, else
 * to the dialog or the main content. The focus of a removed element falls to the page, where the keyboard starts anew.
 */
export function focusAfterRemoval(button: HTMLElement): void {
  const region = button.closest<HTMLElement>('[data-removal-region]');
  if (region === null) return;
  const buttons = [...region.querySelectorAll<HTMLElement>('[data-removes-entry]')];
  const index = buttons.indexOf(button);
  const next = index === -1 ? undefined : (buttons[index + 1] ?? buttons[index - 1]);
  if (next === undefined) focusContainer(region);
  else next.focus();
}
