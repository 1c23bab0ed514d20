import { i18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';

const subscribe = (onChange: () => void) => i18n.on('change', onChange);
const localeOf = () => i18n.locale;

/** The language of the document. A component that uses it is rendered again when that changes, with what it renders. */
export const useLocale = (): string => useSyncExternalStore(subscribe, localeOf, localeOf);
