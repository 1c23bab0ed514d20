import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ShareResults } from './ShareResults';

const user = userEvent.setup();
const url = `${window.location.origin}/event/sangeet-k7m2x9q4tr`;

function show(props: Partial<Parameters<typeof ShareResults>[0]> = {}) {
  return render(
    <ShareResults slug="sangeet-k7m2x9q4tr" eventName="Sangeet" group="me" count={12} {...props} />,
  );
}

afterEach(() => vi.unstubAllGlobals());

it("opens the system's sheet with words and the event's link, not the results'", async () => {
  const share = vi.fn().mockRejectedValue(new DOMException('closed', 'AbortError'));
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }));
  window.location.hash = '#results=secret';
  show();
  await user.click(screen.getByRole('button', { name: 'Tell friends' }));
  expect(share).toHaveBeenCalledExactlyOnceWith({
    title: 'Sangeet',
    text: '12 photos of me from Sangeet',
    url,
  });
  expect(screen.queryByRole('link')).toBeNull();
  window.location.hash = '';
});

it.each([
  ['me', 1, '1 photo of me from Sangeet'],
  ['friend', 12, '12 photos of you from Sangeet'],
  ['both', 2, '2 photos of us from Sangeet'],
  ['either', 1, '1 photo of us from Sangeet'],
] as const)('has WhatsApp where there is no sheet, for the photos of %s', (group, count, words) => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share: undefined }));
  show({ group, count });
  const link = screen.getByRole('link', { name: 'Tell friends on WhatsApp' });
  const sent = new URL(link.getAttribute('href') ?? '');
  expect([sent.origin, sent.searchParams.get('text')]).toEqual(['https://wa.me', `${words}\n${url}`]);
  expect(screen.queryByRole('button')).toBeNull();
});

it('is not there without photos', () => {
  expect(show({ count: 0 }).container).toBeEmptyDOMElement();
});
