import { describe, expect, it } from 'vitest';
import { allPhotos } from './api';
import { listOf, noFilter } from './filters';

describe('listOf', () => {
  it('names the list of the server that has what is looked for [GAL136]', () => {
    expect(listOf(noFilter)).toBe(allPhotos);
    expect(listOf({ ...noFilter, name: ' a&b ' })).toBe('name=a%26b');
    expect(listOf({ ...noFilter, name: ' ' })).toBe(allPhotos);
    expect(listOf({ name: 'dsc', status: 'failed', sort: 'captured' })).toBe(
      'name=dsc&status=failed&sort=captured',
    );
    expect(listOf({ ...noFilter, status: 'withoutFaces' })).toBe('without_faces=true');
  });
});
