import babelExtractor from '@lingui/cli/api/extractors/babel';
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './src/platform/i18n/languages';
import { refusalExtractor } from './tools/refusal-extractor';

const folders = (...names: string[]) => names.map((name) => `<rootDir>/src/${name}/`);
const exclude = ['**/*.test.*'];
const without = (...names: string[]) => [...exclude, ...folders(...names).map((folder) => `${folder}**`)];

/** Of the guests' page, what is loaded after its first paint; the names of apps are on the page before. */
const guestResults = [
  'FoundPhotos.tsx',
  'photoName.ts',
  'capture/SelfiePreview.tsx',
  'downloads/',
  'friends/',
  'hearts/',
  'results/',
  'search/FaceChooser.tsx',
  'search/FailedView.tsx',
  'search/SearchingView.tsx',
  'search/SearchProgress.tsx',
  'search/StrictnessSwitch.tsx',
  'search/useNewMatches.ts',
  'search/newPhotosText.ts',
  'search/repeat.ts',
].map((name) => `<rootDir>/src/guest/${name}`);
/** Kinds of pictures that are not read: a search says so, and an upload. */
const pictures = '<rootDir>/src/platform/pictures/';
/** What an upload refuses, a photographer's and a guest's. */
const uploads = '<rootDir>/src/platform/uploads/';
const printed = '<rootDir>/src/studio/shared/print/texts.ts';
/** Of lists that photographers and administrators look through. */
const screenState = '<rootDir>/src/ui/ScreenState.tsx';
/** Of photos that are alike, in guests' results and in the gallery. */
const stacks = '<rootDir>/src/platform/stackTexts.ts';
const appNames = '<rootDir>/src/guest/downloads/inAppTexts.ts';

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
      include: folders('guest', 'app/guest', 'platform', 'ui'),
      // What only the other document shows: its bytes would be in every guest's catalogue.
      exclude: [
        ...without(
          'guest/adding',
          'guest/browsing',
          'guest/clientSelections',
          'guest/coming',
          'guest/kept',
          'guest/objections',
          'guest/pin',
          'guest/questions',
          'guest/strangers',
          'guest/subscriptions',
        ),
        ...guestResults.map((path) => (path.endsWith('/') ? `${path}!(inAppTexts).*` : path)),
        `${pictures}**`,
        `${uploads}**`,
        '<rootDir>/src/ui/ActionDialog.tsx',
        '<rootDir>/src/ui/PasswordField.tsx',
        screenState,
        '<rootDir>/src/ui/SecretDialog.tsx',
        '<rootDir>/src/platform/durations.ts',
        stacks,
      ],
    },
    {
      // Of searches, results and saving, whose views add them when they are loaded.
      path: '<rootDir>/locales/{locale}/results',
      include: [...guestResults, pictures, stacks],
      exclude: [...exclude, appNames],
    },
    {
      // Of a feature that few guests open, and that adds them when it is loaded.
      path: '<rootDir>/locales/{locale}/subscriptions',
      include: folders('guest/subscriptions'),
      exclude,
    },
    {
      // As above.
      path: '<rootDir>/locales/{locale}/kept',
      include: folders('guest/kept'),
      exclude,
    },
    {
      // Of events whose photographer says whether more photos are coming, as above.
      path: '<rootDir>/locales/{locale}/coming',
      include: folders('guest/coming'),
      exclude,
    },
    {
      // As above; it takes a selfie too, before there are results.
      path: '<rootDir>/locales/{locale}/objections',
      include: [...folders('guest/objections'), pictures],
      exclude,
    },
    {
      // Of events that ask for a PIN, as above.
      path: '<rootDir>/locales/{locale}/pin',
      include: folders('guest/pin'),
      exclude,
    },
    {
      // Of questions to the photographer, as above.
      path: '<rootDir>/locales/{locale}/questions',
      include: folders('guest/questions'),
      exclude,
    },
    {
      // Of photos that are shared without strangers, as above.
      path: '<rootDir>/locales/{locale}/strangers',
      include: folders('guest/strangers'),
      exclude,
    },
    {
      // Of events whose photos may be browsed, as above.
      path: '<rootDir>/locales/{locale}/browsing',
      include: folders('guest/browsing'),
      exclude,
    },
    {
      // Of a client's selection, as above.
      path: '<rootDir>/locales/{locale}/client-selections',
      include: [...folders('guest/clientSelections'), '<rootDir>/src/guest/pin/PinEntry.tsx'],
      exclude,
    },
    {
      // Of events that take photos from guests, as above.
      path: '<rootDir>/locales/{locale}/adding',
      include: [...folders('guest/adding'), pictures, uploads],
      exclude,
    },
    {
      // The public pages, and the bar that photographers have on them too.
      path: '<rootDir>/locales/{locale}/site',
      include: folders('site', 'app', 'platform', 'ui', 'studio/shared'),
      exclude: [
        ...without(
          'app/guest',
          'app/demo',
          'app/screens',
          'studio/shared/events/albums',
          'studio/shared/events/editing',
          'studio/shared/events/sharing',
          'studio/shared/events/workspace',
          'studio/shared/security',
          'studio/shared/webhooks',
          'studio/shared/brand',
        ),
        '<rootDir>/src/studio/shared/notifications/clientSelections.ts',
        '<rootDir>/src/studio/shared/notifications/guestPhotos.ts',
        '<rootDir>/src/studio/shared/notifications/guestRequests.ts',
        `${uploads}**`,
        printed,
        screenState,
        stacks,
      ],
    },
    {
      path: '<rootDir>/locales/{locale}/admin',
      include: folders('studio', 'app', 'platform', 'ui'),
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
