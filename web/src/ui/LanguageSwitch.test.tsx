import { render, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { languages } from '../platform/i18n/languages';
import { LanguageSwitch } from './LanguageSwitch';
import { SnackbarProvider } from './SnackbarProvider';

it.each([
  ['another language that was chosen before the scripts were there is taken over', 'hi', ['hi']],
  ['the language of the page is not chosen again', 'en', []],
])('%s [NAV085]', async (_, selected, expected) => {
  const choose = vi.fn(() => Promise.resolve());
  const page = (
    <SnackbarProvider>
      <LanguageSwitch choose={choose} />
    </SnackbarProvider>
  );
  const container = document.createElement('div');
  document.body.append(container);
  container.innerHTML = renderToString(page);
  const select = container.querySelector('select') as HTMLSelectElement;
  select.value = selected;
  render(page, { container, hydrate: true });
  await waitFor(() =>
    expect(choose.mock.calls).toEqual(expected.map((tag) => [languages.find((each) => each.tag === tag)])),
  );
});
