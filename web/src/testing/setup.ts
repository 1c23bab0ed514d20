import { i18n } from '@lingui/core';
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { keepDocument } from './keepDocument';

// The files of tests that a worker runs share its document and the libraries. Modules of the app begin anew with each file,
// as do their styles: what a module remembers is never that of another file, and mocks are in time for its imports.
vi.resetModules();
const restoreDocument = keepDocument();

// Generous, so that tests do not fail on a machine under load.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

afterAll(restoreDocument);

// Without a catalogue, messages are the English ones of the code.
i18n.loadAndActivate({ locale: 'en', locales: 'en-IN', messages: {} });

// jsdom implements neither layout nor these APIs: stubs that never change and never fire.
Object.assign(window, {
  scrollTo: () => undefined,
  matchMedia: (media: string) => ({
    matches: false,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }),
  ResizeObserver: class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
});
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});
