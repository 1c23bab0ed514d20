import { api, unwrapResponse } from '../../platform/api/client';
import {
  type WebhookSource,
  changeFailedText,
  deliveriesFailedText,
  deliveriesPage,
  webhooksFailedText,
} from '../shared/webhooks/webhooks';

/** The webhooks of the photographer’s account. */
export const ownWebhooks: WebhookSource = {
  key: ['webhooks'],
  path: '/admin/account',
  address: (id) => `/admin/account/webhooks/${encodeURIComponent(id)}`,
  list: (signal) => unwrapResponse(api.GET('/api/auth/webhooks', { signal }), webhooksFailedText()),
  deliveries: (id, cursor, signal) =>
    unwrapResponse(
      api.GET('/api/auth/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: { limit: deliveriesPage, ...(cursor !== null && { cursor }) },
        },
        signal,
      }),
      deliveriesFailedText(),
    ),
  add: (body) => unwrapResponse(api.POST('/api/auth/webhooks', { body }), changeFailedText()),
  change: (id, body) =>
    unwrapResponse(
      api.PUT('/api/auth/webhooks/{id}', { params: { path: { id } }, body }),
      changeFailedText(),
    ),
  turn: (id, on) =>
    unwrapResponse(
      api.PUT('/api/auth/webhooks/{id}/switch', { params: { path: { id } }, body: { on } }),
      changeFailedText(),
    ),
  rotate: (id) =>
    unwrapResponse(
      api.POST('/api/auth/webhooks/{id}/secret', { params: { path: { id } } }),
      changeFailedText(),
    ),
  test: (id) =>
    unwrapResponse(
      api.POST('/api/auth/webhooks/{id}/test', { params: { path: { id } } }),
      changeFailedText(),
    ),
  remove: (id) =>
    unwrapResponse(api.DELETE('/api/auth/webhooks/{id}', { params: { path: { id } } }), changeFailedText()),
};
