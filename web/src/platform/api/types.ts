import type { components, paths } from './schema.gen';

/** The JSON body of a successful response. */
type ResponseBody<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number,
> = paths[Path][Method] extends {
  responses: Record<Status, { content: { 'application/json': infer Body } }>;
}
  ? Body
  : never;

export type User = ResponseBody<'/api/auth/me', 'get', 200>['user'];
export type Event = ResponseBody<'/api/events/', 'get', 200>[number];
/** An own event that is deleted. */
export type DeletedEvent = ResponseBody<'/api/events/analytics', 'get', 200>['recent_deleted_events'][number];
export type PublicEvent = ResponseBody<'/api/events/{event}', 'get', 200>;
export type Studio = ResponseBody<'/api/studio', 'put', 200>;
export type Watermark = ResponseBody<'/api/studio/watermark', 'put', 200>;
export type SearchBody = ResponseBody<'/api/face/search/{slug}', 'post', 200>;
export type GuestPhotos = ResponseBody<'/api/face/photos/{slug}', 'get', 200>;
export type DownloadLinksBody = ResponseBody<'/api/photos/download-by-s3', 'get', 200>;
export type EverythingCreated = ResponseBody<'/api/face/photos/{slug}/download', 'post', 201>;
export type DownloadToken = ResponseBody<'/api/face/download', 'post', 201>;
export type Statistics = ResponseBody<'/api/events/{event}/statistics', 'get', 200>;
/** A page of the ids of photos. */
export type PhotoIds = ResponseBody<'/api/photos/search/ids', 'get', 200>;
export type Photo = ResponseBody<'/api/photos/search', 'get', 200>['photos'][number];
export type PhotoFaces = ResponseBody<'/api/photos/{id}/faces', 'get', 200>;
export type Album = ResponseBody<'/api/events/{event}/albums', 'get', 200>['albums'][number];
export type People = ResponseBody<'/api/events/{event}/people', 'get', 200>;
export type Person = People['people'][number];
export type UploadedPhoto = ResponseBody<'/api/photos/upload', 'post', 200>;
export type Credits = ResponseBody<'/api/subscription/credits', 'get', 200>;
export type HistoryLine = ResponseBody<'/api/payments/history', 'get', 200>['history'][number];
export type BillingAnswer = ResponseBody<'/api/payments/billing', 'get', 200>;
export type Billing = components['schemas']['Billing'];
/** The host name of a studio's own. */
export type OwnHost = ResponseBody<'/api/studio/host', 'get', 200>;
export type Purpose = components['schemas']['Purpose'];
export type Order = ResponseBody<'/api/payments/create-order', 'post', 200>;
