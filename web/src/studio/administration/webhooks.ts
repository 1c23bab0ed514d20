import { api, unwrapResponse } from '../../platform/api/client';
import {
  type WebhookSource,
  changeFailedText,
  deliveriesFailedText,
  deliveriesPage,
  webhooksFailedText,
} from '../shared/webhooks/webhooks';
import { administrationKey } from './administration';
import { webhooksPath } from './sections';

/** The installation’s webhooks, which administrators look after. */
export const serviceWebhooks: WebhookSource = {
  key: [...administrationKey, 'webhooks'],
  path: webhooksPath,
  address: (id) => `${webhooksPath}/${encodeURIComponent(id)}`,
  list: (signal) => unwrapResponse(api.GET('/api/administration/webhooks', { signal }), webhooksFailedText()),
  deliveries: (id, cursor, signal) =>
    unwrapResponse(
      api.GET('/api/administration/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: { limit: deliveriesPage, ...(cursor !== null && { cursor }) },
        },
        signal,
      }),
      deliveriesFailedText(),
    ),
  add: (body) => unwrapResponse(api.POST('/api/administration/webhooks', { body }), changeFailedText()),
  change: (id, body) =>
    unwrapResponse(
      api.PUT('/api/administration/webhooks/{id}', { params: { path: { id } }, body }),
      changeFailedText(),
    ),
  turn: (id, on) =>
    unwrapResponse(
      api.PUT('/api/administration/webhooks/{id}/switch', { params: { path: { id } }, body: { on } }),
      changeFailedText(),
    ),
  rotate: (id) =>
    unwrapResponse(
      api.POST('/api/administration/webhooks/{id}/secret', { params: { path: { id } } }),
      changeFailedText(),
    ),
  test: (id) =>
    unwrapResponse(
      api.POST('/api/administration/webhooks/{id}/test', { params: { path: { id } } }),
      changeFailedText(),
    ),
  remove: (id) =>
    unwrapResponse(
      api.DELETE('/api/administration/webhooks/{id}', { params: { path: { id } } }),
      changeFailedText(),
    ),
};
