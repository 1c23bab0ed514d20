import { defineStoredValue, parseIds, parseJson, type StoredValue, toRecord } from './storage';

/** The photos of searches that have been saved. */
export const storedDownloads = defineStoredValue<string[]>({
  key: 'downloadedMatches',
  area: 'localStorage',
  parse: parseIds,
  serialize: JSON.stringify,
});

/** Whose photos of two people are shown, per event. */
export const storedGroup = (slug: string): StoredValue<string> =>
  defineStoredValue<string>({
    key: `faceGroup:${slug}`,
    area: 'sessionStorage',
    parse: (text) => text,
    serialize: (group) => group,
  });

/** A photo that a guest is not in, while the server has not been told. */
export interface UnsentReport {
  photo: string;
  /** Tokens of the results that it was in. */
  tokens: readonly string[];
}

function parseReports(text: string): UnsentReport[] | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed)) return null;
  return (parsed as unknown[]).flatMap((each) => {
    const { photo, tokens } = toRecord(each) ?? {};
    if (typeof photo !== 'string' || !Array.isArray(tokens)) return [];
    return [{ photo, tokens: tokens.filter((token) => typeof token === 'string') }];
  });
}

export const storedReports = defineStoredValue<readonly UnsentReport[]>({
  key: 'unsentReports',
  area: 'sessionStorage',
  parse: parseReports,
  serialize: JSON.stringify,
});
