import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../shared/api/client';

/** What the running server says about itself to everybody. */
export interface SiteFacts {
  supportEmail: string;
  /** Days that photos are kept after their event; 0 keeps them for ever. */
  retentionDays: number;
  /** Addresses of the four social networks. */
  social: Record<Network, string>;
}

export type Network = 'facebook' | 'instagram' | 'x' | 'linkedin';

export const defaultFacts: SiteFacts = {
  supportEmail: 'support@example.com',
  retentionDays: 30,
  social: {
    facebook: 'https://www.facebook.com/',
    instagram: 'https://www.instagram.com/',
    x: 'https://x.com/',
    linkedin: 'https://www.linkedin.com/',
  },
};

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Only web addresses are linked to, whatever the setting says. */
const linkOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && /^https?:\/\//.test(value) ? value : fallback;

/** Reads the server's answer; what it leaves out has its default. */
export function parseFacts(value: unknown): SiteFacts {
  const { support_email, retention_days, social } = fieldsOf(value);
  const { facebook, instagram, x, linkedin } = fieldsOf(social);
  const defaults = defaultFacts;
  return {
    supportEmail: typeof support_email === 'string' ? support_email : defaults.supportEmail,
    retentionDays: typeof retention_days === 'number' ? retention_days : defaults.retentionDays,
    social: {
      facebook: linkOr(facebook, defaults.social.facebook),
      instagram: linkOr(instagram, defaults.social.instagram),
      x: linkOr(x, defaults.social.x),
      linkedin: linkOr(linkedin, defaults.social.linkedin),
    },
  };
}

const factsQuery = queryOptions({
  queryKey: ['site'],
  staleTime: Infinity,
  // The page can do without; it does not wait for a second try.
  retry: false,
  queryFn: async ({ signal }) =>
    parseFacts(await unwrapResponse(api.GET('/api/site', { signal }), 'The server says nothing of itself')),
});

/** The server's facts, or null while they are on their way. Where it does not say, the defaults hold. */
export function useSiteFacts(): SiteFacts | null {
  const { data, isPending } = useQuery(factsQuery);
  return isPending ? null : (data ?? defaultFacts);
}
