import type { Photo } from '../../shared/api/types';

export type StatusFilter = 'all' | Photo['status'];

export interface Filter {
  /** A part of the original file name, case-insensitive. */
  name: string;
  status: StatusFilter;
}

export const noFilter: Filter = { name: '', status: 'all' };

export const isFiltering = ({ name, status }: Filter): boolean => name.trim() !== '' || status !== 'all';

export function filterPhotos(photos: readonly Photo[], { name, status }: Filter): readonly Photo[] {
  const wanted = name.trim().toLowerCase();
  if (wanted === '' && status === 'all') return photos;
  return photos.filter(
    (photo) =>
      (status === 'all' || photo.status === status) && photo.original_filename.toLowerCase().includes(wanted),
  );
}
