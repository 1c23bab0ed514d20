import babelExtractor from '@lingui/cli/api/extractors/babel';
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './src/shared/i18n/languages';
import { refusalExtractor } from './tools/refusal-extractor';

const folders = (...names: string[]) => names.map((name) => `<rootDir>/src/${name}/`);
const exclude = ['**/*.test.*'];
const without = (...names: string[]) => [...exclude, ...folders(...names).map((folder) => `${folder}**`)];

/** Of the guests' page, what is loaded after its first paint; the names of apps are on the page before. */
const guestResults = [
  'FoundPhotos.tsx',
  'photoName.ts',
  'capture/SelfiePreview.tsx',
  'results/',
  'saving/',
  'search/FaceChooser.tsx',
  'search/FailedView.tsx',
  'search/SearchingView.tsx',
  'search/SearchProgress.tsx',
  'search/StrictnessSwitch.tsx',
  'search/useNewMatches.ts',
  'search/newPhotosText.ts',
  'search/repeat.ts',
].map((name) => `<rootDir>/src/features/guest/${name}`);
const printed = '<rootDir>/src/shared/print/texts.ts';
const appNames = '<rootDir>/src/features/guest/saving/inAppTexts.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: languages.map(({ tag }) => tag),
  // Line numbers would change a catalogue with every edit above a message.
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  extractors: [babelExtractor, refusalExtractor],
  // A message that several of them show is in each, so that a page loads one catalogue.
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}/guest',
      include: folders('features/guest', 'app/guest', 'shared'),
      // What only the other document shows: its bytes would be in every guest's catalogue.
      exclude: [
        ...without(
          'features/guest/access',
          'features/guest/asking',
          'features/guest/browsing',
          'features/guest/keeping',
          'features/guest/removal',
          'features/guest/telling',
          'shared/accounts',
          'shared/events',
          'shared/credits',
          'shared/notifications',
          'shared/security',
          'shared/studio',
        ),
        ...guestResults.map((path) => (path.endsWith('/') ? `${path}!(inAppTexts).*` : path)),
        '<rootDir>/src/shared/components/ActionDialog.tsx',
        '<rootDir>/src/shared/components/PasswordField.tsx',
        '<rootDir>/src/shared/components/SecretDialog.tsx',
        '<rootDir>/src/shared/durations.ts',
        printed,
      ],
    },
    {
      // Of searches, results and saving, whose views add them when they are loaded.
      path: '<rootDir>/locales/{locale}/results',
      include: guestResults,
      exclude: [...exclude, appNames],
    },
    {
      // Of a feature that few guests open, and that adds them when it is loaded.
      path: '<rootDir>/locales/{locale}/telling',
      include: folders('features/guest/telling'),
      exclude,
    },
    {
      // As above.
      path: '<rootDir>/locales/{locale}/keeping',
      include: folders('features/guest/keeping'),
      exclude,
    },
    {
      // As above.
      path: '<rootDir>/locales/{locale}/removal',
      include: folders('features/guest/removal'),
      exclude,
    },
    {
      // Of events that ask for a PIN, as above.
      path: '<rootDir>/locales/{locale}/access',
      include: folders('features/guest/access'),
      exclude,
    },
    {
      // Of questions to the photographer, as above.
      path: '<rootDir>/locales/{locale}/asking',
      include: folders('features/guest/asking'),
      exclude,
    },
    {
      // Of events whose photos may be browsed, as above.
      path: '<rootDir>/locales/{locale}/browsing',
      include: folders('features/guest/browsing'),
      exclude,
    },
    {
      // The public pages, and the bar that photographers have on them too.
      path: '<rootDir>/locales/{locale}/site',
      include: folders('features/site', 'features/sessions', 'features/invitations', 'app', 'shared'),
      exclude: [
        ...without(
          'app/guest',
          'app/demo',
          'app/screens',
          'shared/events/editing',
          'shared/events/sharing',
          'shared/events/workspace',
          'shared/security',
          'shared/studio',
        ),
        printed,
      ],
    },
    {
      path: '<rootDir>/locales/{locale}/admin',
      include: folders(
        'features/accounts',
        'features/administration',
        'features/events',
        'features/overview',
        'features/statistics',
        'features/team',
        'features/payments',
        'features/photos',
        'features/setup',
        'features/uploads',
        'app',
        'shared',
      ),
      exclude: [...without('app/guest'), printed],
    },
    {
      // Of posters and cards, which are in a language of their own.
      path: '<rootDir>/locales/{locale}/print',
      include: [printed],
      exclude,
    },
  ],
});
