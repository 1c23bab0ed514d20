/** A language of the pages that guests see. */
export interface Language {
  /** BCP 47, as in `<html lang>` and in the names of the catalogues. */
  tag: string;
  /** Its name in itself. */
  name: string;
  /** The locale of dates and numbers; with the digits of messages, which phones in India write in all scripts. */
  formats: string;
  direction: 'ltr' | 'rtl';
}

const ltr = (tag: string, name: string, formats: string): Language => ({
  tag,
  name,
  formats,
  direction: 'ltr',
});

export const english = ltr('en', 'English', 'en-IN');

export const languages: readonly Language[] = [
  english,
  ltr('hi', 'हिन्दी', 'hi-IN'),
  ltr('bn', 'বাংলা', 'bn-IN-u-nu-latn'),
  ltr('ta', 'தமிழ்', 'ta-IN'),
  ltr('te', 'తెలుగు', 'te-IN'),
  ltr('mr', 'मराठी', 'mr-IN-u-nu-latn'),
  ltr('gu', 'ગુજરાતી', 'gu-IN'),
  ltr('es', 'Español', 'es'),
  ltr('fr', 'Français', 'fr'),
  ltr('de', 'Deutsch', 'de'),
  ltr('pt', 'Português', 'pt'),
  { tag: 'ar', name: 'العربية', formats: 'ar-u-nu-latn', direction: 'rtl' },
];

/** The first of the wanted languages that there is, by their primary subtags (RFC 4647, lookup); English without one. */
export function negotiateLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split('-')[0];
    const language = languages.find((each) => each.tag === primary);
    if (language !== undefined) return language;
  }
  return english;
}
