import { expect, test } from 'vitest';
import { mailedLinkOf } from './mailedLink';

test('only the fragment of a mailed link is one', () => {
  expect(mailedLinkOf({ hash: '#confirm=aB-_9' })).toEqual({ action: 'confirm', token: 'aB-_9' });
  expect(mailedLinkOf({ hash: '#unsubscribe=x' })).toEqual({ action: 'unsubscribe', token: 'x' });
  for (const hash of ['', '#main', '#results=x', '#confirm=', '#confirm', '#confirm=a b', '#x-confirm=a']) {
    expect(mailedLinkOf({ hash })).toBeNull();
  }
});
