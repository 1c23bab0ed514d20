import { describe, expect, it } from 'vitest';
import { languages, negotiateLanguage } from './languages';

describe('the language of the page', () => {
  it.each([
    [['hi-IN', 'en'], 'hi'],
    [['pt-BR'], 'pt'],
    [['PT-pt'], 'pt'],
    [['ja', 'ta-LK', 'en'], 'ta'],
    [['ja', 'zh'], 'en'],
    [[], 'en'],
  ])('is for %j %s', (wanted, tag) => {
    expect(negotiateLanguage(wanted).tag).toBe(tag);
  });

  it('is one of twelve', () => {
    expect(languages.map(({ tag }) => tag)).toEqual([
      'en',
      'hi',
      'bn',
      'ta',
      'te',
      'mr',
      'gu',
      'es',
      'fr',
      'de',
      'pt',
      'ar',
    ]);
  });

  it.each(languages)('$tag has a locale that browsers know for its dates and numbers', ({ tag, formats }) => {
    expect(Intl.DateTimeFormat.supportedLocalesOf(formats)).toEqual([formats]);
    expect(new Intl.NumberFormat(formats).format(12)).toBe('12');
    expect(formats.split('-')[0]).toBe(tag);
  });
});
