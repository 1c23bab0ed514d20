import type { Photo } from '../../shared/api/types';
import type { PhotoList } from './api';

/** 'withoutFaces' is answered by the server, the others by the photos that are loaded. */
export type StatusFilter = 'all' | Photo['status'] | 'withoutFaces';

export interface Filter {
  /** A part of the original file name, case-insensitive. */
  name: string;
  status: StatusFilter;
}

export const noFilter: Filter = { name: '', status: 'all' };

/** The list of the server that the filter is applied to. */
export const listOf = ({ status }: Filter): PhotoList => (status === 'withoutFaces' ? status : 'all');

const isAnyStatus = (status: StatusFilter): boolean => status === 'all' || status === 'withoutFaces';

/** Whether all photos of the list have to be loaded to know which ones match. */
export const isFiltering = ({ name, status }: Filter): boolean => name.trim() !== '' || !isAnyStatus(status);

/** Those of the list that match. */
export function filterPhotos(photos: readonly Photo[], filter: Filter): readonly Photo[] {
  const { name, status } = filter;
  if (!isFiltering(filter)) return photos;
  const wanted = name.trim().toLowerCase();
  return photos.filter(
    (photo) =>
      (isAnyStatus(status) || photo.status === status) &&
      photo.original_filename.toLowerCase().includes(wanted),
  );
}
