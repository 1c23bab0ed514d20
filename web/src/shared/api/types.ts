import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type User = Schemas['UserBody'];
export type Event = Schemas['EventBody'];
export type PublicEvent = Schemas['PublicEventBody'];
export type Indexing = Schemas['IndexingBody'];
export type Photo = Schemas['PhotoBody'];
export type UploadedPhoto = Schemas['UploadedPhotoBody'];
export type Credits = Schemas['CreditsBody'];
export type Analytics = Schemas['AnalyticsBody'];
export type Order = Schemas['OrderBody'];
export type Match = Schemas['MatchBody'];
export type FaceBox = Schemas['FaceBoxBody'];
