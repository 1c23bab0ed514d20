import type { LoaderFunction, LoaderFunctionArgs } from 'react-router';
import { expect, it, vi } from 'vitest';
import { signIn } from '../testing/render';

it.each([
  ['/event/sangeet-k7m2x9q4tr', true],
  ['/pricing', false],
])(
  'entering the admin section from a document loaded at %s loads another: %s [PAY097]',
  async (path, loads) => {
    vi.resetModules();
    window.history.replaceState(null, '', path);
    const { adminRoutes } = await import('./routes');
    window.history.replaceState(null, '', '/');
    signIn();
    const request = new Request('http://localhost:3000/admin/upload?event=e1');
    const answer: unknown = await (adminRoutes.loader as LoaderFunction)({ request } as LoaderFunctionArgs);
    if (!loads) {
      expect(answer).toBeNull();
      return;
    }
    const { headers } = answer as Response;
    expect(headers.get('X-Remix-Reload-Document')).toBe('true');
    expect(headers.get('Location')).toBe(request.url);
  },
);
