import type { Photo } from '../../../platform/api/types';
import { allPhotos, type PhotoList } from './photos';

const statuses = [
  'all',
  'ready',
  'processing',
  'failed',
  'withoutFaces',
  'held',
  'hearted',
  'blurred',
] as const satisfies readonly (Photo['status'] | 'all' | 'withoutFaces' | 'held' | 'hearted' | 'blurred')[];
export type StatusFilter = (typeof statuses)[number];

/** By upload, newest first; by the moment of capture, earliest first; by the name of the file; by hearts, most first; or by sharpness, least first. */
const sorts = ['uploaded', 'captured', 'name', 'hearts', 'sharpness'] as const;
export type Sort = (typeof sorts)[number];

export interface Filter {
  /** A part of the original file name, case-insensitive. */
  name: string;
  status: StatusFilter;
  sort: Sort;
  /** The id of an album, or `inNoAlbum`; empty for all photos. */
  album: string;
  /** The id of the account that uploaded them, or `ownersPhotos`; empty for all photos. */
  uploader: string;
  /** The id of a selection, whose client has chosen them; empty for all photos. */
  selection: string;
  /** `true` for those that its client has commented on instead. */
  commented: string;
}

export const noFilter: Filter = {
  name: '',
  status: 'all',
  sort: 'uploaded',
  album: '',
  uploader: '',
  selection: '',
  commented: '',
};

/** Stands for an album's id where photos are meant that are in none. */
export const inNoAlbum = 'none';

/** Stands for the id of the event's owner. */
export const ownersPhotos = 'owner';

/** The filter, but for an album that is deleted: all photos are looked for again. */
export const withinAlbums = (filter: Filter, albums: readonly { id: string }[]): Filter =>
  albums.some(({ id }) => id === filter.album || filter.album === inNoAlbum)
    ? filter
    : { ...filter, album: '' };

/** The filter, but for what guests did with photos, which is the owner's and managers' to know. */
export const withoutHearts = (filter: Filter): Filter => ({
  ...filter,
  status: filter.status === 'hearted' ? noFilter.status : filter.status,
  sort: filter.sort === 'hearts' ? noFilter.sort : filter.sort,
});

/** Whether the list is about the sharpness of photos. */
export const isAboutSharpness = ({ status, sort }: Filter): boolean =>
  status === 'blurred' || sort === 'sharpness';

/** Whether all photos are shown, or all of an album. */
export const showsAll = ({ name, status, uploader, album, selection }: Filter): boolean =>
  name.trim() === '' && status === 'all' && uploader === '' && album !== inNoAlbum && selection === '';

/** Whether of photos that are alike the best alone is shown: not where photos were found or chosen one by one. */
export const showsBest = (filter: Filter): boolean =>
  showsAll(filter) && filter.sort !== 'hearts' && filter.sort !== 'sharpness';

/** The list of the server with the photos that match, in their order. */
export function listOf({ name, status, sort, album, uploader, selection, commented }: Filter): PhotoList {
  const parameters = new URLSearchParams();
  if (name.trim() !== '') parameters.set('name', name.trim());
  if (status === 'withoutFaces') parameters.set('without_faces', 'true');
  else if (status === 'held' || status === 'hearted' || status === 'blurred') parameters.set(status, 'true');
  else if (status !== 'all') parameters.set('status', status);
  if (sort !== 'uploaded') parameters.set('sort', sort);
  if (album !== '') parameters.set('album_id', album);
  if (uploader !== '') parameters.set('uploader_id', uploader);
  if (selection !== '') parameters.set('selection_id', selection);
  if (selection !== '' && commented !== '') parameters.set('commented', 'true');
  const list = parameters.toString();
  return list === '' ? allPhotos : list;
}

/** The parameters of the address in which a filter stands. */
const keys = [
  'name',
  'status',
  'sort',
  'album',
  'uploader',
  'selection',
  'commented',
] as const satisfies readonly (keyof Filter)[];

/** What an address says, in which anybody may have typed something. */
export function filterIn(address: URLSearchParams): Filter {
  const status = statuses.find((each) => each === address.get('status'));
  const sort = sorts.find((each) => each === address.get('sort'));
  return {
    name: address.get('name') ?? '',
    status: status ?? noFilter.status,
    sort: sort ?? noFilter.sort,
    album: address.get('album') ?? '',
    uploader: address.get('uploader') ?? '',
    selection: address.get('selection') ?? '',
    commented: address.get('commented') === null ? '' : 'true',
  };
}

/** Writes a filter into an address, where what is as at first is left out. */
export function putFilter(address: URLSearchParams, filter: Filter): URLSearchParams {
  for (const key of keys) {
    address.delete(key);
    if (filter[key] !== noFilter[key]) address.append(key, filter[key]);
  }
  return address;
}

/** Whether photos of the event may be left out, in whatever order the others are. */
export const leavesOut = (filter: Filter): boolean =>
  listOf({ ...filter, sort: noFilter.sort }) !== allPhotos;
