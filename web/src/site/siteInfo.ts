import { t } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../platform/api/client';

/** Public settings of the server. */
export interface SiteInfo {
  supportEmail: string;
  /** Days that photos are kept after their event; 0 for unlimited. */
  retentionDays: number;
  /** The most days that a photographer can choose for an event; 0 for unlimited. */
  longestRetentionDays: number;
  /** URLs of the four social networks. */
  social: Record<Network, string>;
}

export type Network = 'facebook' | 'instagram' | 'x' | 'linkedin';

export const defaultSiteInfo: SiteInfo = {
  supportEmail: 'support@example.com',
  retentionDays: 30,
  longestRetentionDays: 30,
  social: {
    facebook: 'https://www.facebook.com/',
    instagram: 'https://www.instagram.com/',
    x: 'https://x.com/',
    linkedin: 'https://www.linkedin.com/',
  },
};

type Fields = Record<string, unknown>;

const toRecord = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Accepts only http and https URLs. */
const linkOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && /^https?:\/\//.test(value) ? value : fallback;

/** Parses the response; missing fields get their defaults. */
export function parseSiteInfo(value: unknown): SiteInfo {
  const { support_email, retention_days, retention_options, social } = toRecord(value);
  const { facebook, instagram, x, linkedin } = toRecord(social);
  const defaults = defaultSiteInfo;
  const retentionDays = typeof retention_days === 'number' ? retention_days : defaults.retentionDays;
  const longest: unknown = Array.isArray(retention_options) ? retention_options.at(-1) : undefined;
  return {
    supportEmail: typeof support_email === 'string' ? support_email : defaults.supportEmail,
    retentionDays,
    longestRetentionDays: typeof longest === 'number' ? longest : retentionDays,
    social: {
      facebook: linkOr(facebook, defaults.social.facebook),
      instagram: linkOr(instagram, defaults.social.instagram),
      x: linkOr(x, defaults.social.x),
      linkedin: linkOr(linkedin, defaults.social.linkedin),
    },
  };
}

const siteInfoQuery = queryOptions({
  queryKey: ['site'],
  staleTime: Infinity,
  // The pages work with the defaults, so that a retry is not worth the wait.
  retry: false,
  queryFn: async ({ signal }) =>
    parseSiteInfo(
      await unwrapResponse(api.GET('/api/site', { signal }), t`The site info could not be loaded`),
    ),
});

/** The site info; null while loading, the defaults after an error. */
export function useSiteInfo(): SiteInfo | null {
  const { data, isPending } = useQuery(siteInfoQuery);
  return isPending ? null : (data ?? defaultSiteInfo);
}
