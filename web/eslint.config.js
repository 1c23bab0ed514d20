import { defineConfig } from 'eslint/config';
import boundaries from 'eslint-plugin-boundaries';
import lingui from 'eslint-plugin-lingui';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** The two ends of an import, in `boundaries/dependencies`. */
const of = (...types) => ({ element: { types: { anyOf: types } } });
const to = (...types) => ({ to: { element: { types: { anyOf: types } } } });

export default defineConfig(
  { ignores: ['dist', 'test-results', 'tools', 'src/platform/api/schema.gen.ts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', 'tools/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'max-lines': ['error', { max: 400 }],
      // The oldest supported Safari is that of iOS 16, and the build adds no polyfills for APIs.
      'no-restricted-properties': [
        'error',
        { object: 'AbortSignal', property: 'any', message: 'Safari has it from 17.4; see withTimeout().' },
        { object: 'URL', property: 'canParse', message: 'Safari has it from 17.' },
        { object: 'document', property: 'startViewTransition', message: 'Safari has it from 18.' },
      ],
      // A barrel hides which layer a name comes from, and hinders tree shaking.
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
        {
          selector: 'ExportNamedDeclaration[source]',
          message: 'No barrels: import from the file that declares it.',
        },
      ],
    },
  },
  {
    files: ['e2e/**/*.ts'],
    rules: {
      // A test that only needs a fixture to be there names it so.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_$' }],
      // What belongs together, `test` and its `expect`, comes from one file of fixtures.
      'no-restricted-syntax': 'off',
    },
  },
  {
    // They print what they measure.
    files: ['e2e/measurements/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks, boundaries },
    settings: {
      'boundaries/elements': [
        { type: 'app', pattern: 'src/app' },
        { type: 'guest', pattern: 'src/guest' },
        { type: 'site', pattern: 'src/site' },
        { type: 'shared', pattern: 'src/studio/shared' },
        { type: 'screen', pattern: 'src/studio/event/*', capture: ['screen'] },
        { type: 'screen', pattern: 'src/studio/*', capture: ['screen'] },
        { type: 'ui', pattern: 'src/ui' },
        { type: 'platform', pattern: 'src/platform' },
        { type: 'testing', pattern: 'src/testing' },
      ],
      'import/resolver': { node: { extensions: ['.ts', '.tsx'] } },
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // It warns of code that the React Compiler would skip; the compiler is not used here.
      'react-hooks/incompatible-library': 'off',
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { from: of('app'), allow: to('app', 'guest', 'site', 'screen', 'shared', 'ui', 'platform') },
            { from: of('guest'), allow: to('ui', 'platform') },
            { from: of('site', 'screen', 'shared'), allow: to('shared', 'ui', 'platform') },
            { from: of('ui'), allow: to('ui', 'platform') },
            { from: of('platform'), allow: to('platform') },
            { from: of('testing'), allow: to('testing', 'shared', 'ui', 'platform') },
            // Only tests do.
            { from: { element: { type: '*' } }, allow: to('testing') },
            // People and guests are shown by their photos.
            {
              from: { element: { type: 'screen', captured: { screen: '@(people|guests)' } } },
              allow: { to: { element: { type: 'screen', captured: { screen: 'photos' } } } },
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'src/{app,guest,site,studio}/**/*.{ts,tsx}',
      'src/ui/*.{ts,tsx}',
      'src/platform/session/**/*.ts',
      'src/platform/{amounts,bytes,durations,formats,shortDates}.ts',
    ],
    // The data of the demo is English in every language, as a photographer's own is in theirs.
    ignores: [
      '**/*.test.{ts,tsx}',
      '**/testing.tsx',
      '**/inAppTexts.ts',
      // What the build alone runs.
      'src/app/prerendered/render.tsx',
      'src/studio/shared/{brand,print}/**',
      '**/sampleData.ts',
    ],
    plugins: { lingui },
    rules: {
      'lingui/no-unlocalized-strings': [
        'error',
        {
          useTsTypes: true,
          // Keys, classes, types and names of headers; CSS values; media queries.
          ignore: [
            '^[^A-Z\\s]+$',
            '^[A-Z][A-Za-z]+-[A-Z][A-Za-z-]+$',
            '^[A-Z]+$',
            '^(calc|max|minmax|repeat|rgb|linear-gradient|radial-gradient|translate[XY])\\(',
            '^\\(min-',
            '^\\[data-',
            '^#[0-9A-Fa-f]{3,8}$',
            '^&',
            // Names, which are the same in every language.
            '^(Facebook|Instagram|LinkedIn|PayPal|WhatsApp|Aanya)$',
            '^(· )?Afterglow$',
            // Paths of SVG, and dates.
            '^[Mm]\\d',
            'T00:00:00Z$',
          ],
          ignoreNames: [
            'name',
            // Styles, and what an embedded page may do.
            'sx',
            'sandbox',
            'style',
            'color',
            'font',
            'tone',
            'modals',
            'aria-labelledby',
            'aria-describedby',
            { regex: { pattern: '^--' } },
            // CSS properties, and breakpoints of their values; attributes of SVG.
            {
              regex: {
                pattern:
                  '^(margin|padding|background|border|overflow|filter|transform)$|^(margin|padding|background|border|grid|text|box|object|scroll|font|line|letter|white|mask)[A-Z]',
              },
            },
            {
              regex: {
                pattern:
                  '^([mp][trblxy]?|xs|sm|md|inset|top|left|width|height|d|color|viewBox|strokeDasharray|rel|autoComplete)$',
              },
            },
          ],
          // What programmers read, and what is compared with other programs' texts.
          ignoreFunctions: [
            'console.*',
            '*.matches',
            'styled',
            'Reflect.set',
            '*.DateTimeFormat',
            'Error',
            'DOMException',
            'defineMessage',
            '*.create',
            '*.get',
            '*.includes',
            '*.matchMedia',
            '*.getPropertyValue',
            'setDialog',
            'setFailure',
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { lingui },
    rules: {
      'lingui/t-call-in-function': 'error',
      'lingui/no-single-variables-to-translate': 'error',
      'lingui/no-expression-in-message': 'error',
    },
  },
);
