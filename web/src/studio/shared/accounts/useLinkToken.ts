import { useLocation } from 'react-router';

/**
 * The token of a mailed link, empty without one: in the fragment, which no server sees, or in the query of the mails of
 * earlier versions.
 */
export function useLinkToken(): string {
  const { hash, search } = useLocation();
  const tokenIn = (parameters: string) => new URLSearchParams(parameters).get('token');
  return tokenIn(hash.slice(1)) ?? tokenIn(search) ?? '';
}
