import createClient from 'openapi-fetch';
import { authorizedFetch } from './authorizedFetch';
import { ApiError, errorOfResponse } from './errors';
import type { paths } from './schema.gen';

/** The API client for the page's own origin, typed by the OpenAPI schema. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: authorizedFetch });

interface ApiResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Returns the body of a successful response.
 * Throws an `ApiError` otherwise, whose message is the server's or `fallback`.
 */
export async function unwrapResponse<T>(call: Promise<ApiResult<T>>, fallback: string): Promise<T> {
  let result: ApiResult<T>;
  try {
    result = await call;
  } catch (cause) {
    throw new ApiError(0, fallback, {}, cause);
  }
  if (!result.response.ok) throw errorOfResponse(result.response, result.error, fallback);
  return result.data as T;
}
