import type { components, paths } from './schema.gen';

/** The JSON body with which a call succeeds. */
type Answer<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number,
> = paths[Path][Method] extends {
  responses: Record<Status, { content: { 'application/json': infer Body } }>;
}
  ? Body
  : never;

export type User = Answer<'/api/auth/me', 'get', 200>['user'];
export type Event = Answer<'/api/events/', 'get', 200>[number];
export type PublicEvent = Answer<'/api/events/{slug}', 'get', 200>;
export type Photo = Answer<'/api/photos/search', 'get', 200>['photos'][number];
export type UploadedPhoto = Answer<'/api/photos/upload', 'post', 200>;
export type Credits = Answer<'/api/subscription/credits', 'get', 200>;
export type Purpose = components['schemas']['Purpose'];
export type Order = Answer<'/api/payments/create-order', 'post', 200>;
