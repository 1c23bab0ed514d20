import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './src/shared/i18n/languages';

/** Components and functions whose messages are in both documents. */
const shared = ['<rootDir>/src/shared/'];
const exclude = ['**/*.test.*'];

export default defineConfig({
  sourceLocale: 'en',
  locales: languages.map(({ tag }) => tag),
  // Line numbers would change a catalogue with every edit above a message.
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}/guest',
      include: ['<rootDir>/src/features/guest/', '<rootDir>/src/app/guest/', ...shared],
      exclude,
    },
    { path: '<rootDir>/locales/{locale}/site', include: shared, exclude },
  ],
});
