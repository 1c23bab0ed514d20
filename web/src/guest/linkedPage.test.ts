import { expect, test } from 'vitest';
import { linkedPageOf } from './linkedPage';

const pathname = '/event/aanya-rohan';

test('only the fragment of a mailed link is one', () => {
  expect(linkedPageOf({ pathname, hash: '#confirm=aB-_9' })).toEqual({ action: 'confirm', token: 'aB-_9' });
  expect(linkedPageOf({ pathname, hash: '#unsubscribe=x' })).toEqual({ action: 'unsubscribe', token: 'x' });
  for (const hash of ['', '#main', '#results=x', '#confirm=', '#confirm', '#confirm=a b', '#x-confirm=a']) {
    expect(linkedPageOf({ pathname, hash })).toBeNull();
  }
});

test('the address of a selection is one', () => {
  for (const end of ['', '/']) {
    expect(linkedPageOf({ pathname: `/selection/abc234${end}`, hash: '' })).toEqual({
      action: 'selection',
      token: 'abc234',
    });
  }
  for (const other of ['/selection/', '/event/selection', '/event/x/selection/abc', '/selection/a/b']) {
    expect(linkedPageOf({ pathname: other, hash: '' })).toBeNull();
  }
});
