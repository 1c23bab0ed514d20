import { t } from '@lingui/core/macro';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components } from '../../../platform/api/schema.gen';

type Schemas = components['schemas'];

export type Webhook = Schemas['WebhookBody'];
export type WebhookDelivery = Schemas['WebhookDeliveryBody'];
export type WebhookEntered = Required<Schemas['WebhookRequest']>;

export const webhooksFailedText = (): string => t`The webhooks could not be loaded. Please try again.`;
export const deliveriesFailedText = (): string => t`The messages could not be loaded. Please try again.`;
export const changeFailedText = (): string => t`This could not be done. Please try again.`;

/** Messages that are asked for at a time. */
export const deliveriesPage = 50;

/** Whose webhooks are looked after: the installation's, or those of the photographer's account. */
export interface WebhookSource {
  /** What their queries begin with. */
  key: readonly string[];
  /** The screen that lists them. */
  path: string;
  /** The screen of one of them. */
  address: (id: string) => string;
  list: (signal: AbortSignal) => Promise<Schemas['WebhooksBody']>;
  deliveries: (
    id: string,
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<Schemas['WebhookDeliveriesBody']>;
  add: (entered: WebhookEntered) => Promise<Schemas['WebhookSecretBody']>;
  change: (id: string, entered: WebhookEntered) => Promise<Webhook>;
  turn: (id: string, on: boolean) => Promise<Webhook>;
  rotate: (id: string) => Promise<Schemas['WebhookSecretBody']>;
  test: (id: string) => Promise<WebhookDelivery>;
  remove: (id: string) => Promise<unknown>;
}

export const webhooksQuery = (source: WebhookSource) =>
  queryOptions({
    queryKey: [...source.key, 'list'],
    queryFn: ({ signal }) => source.list(signal),
    // States move while somebody looks at them.
    refetchInterval: 10_000,
  });

export const deliveriesQuery = (source: WebhookSource, id: string) =>
  infiniteQueryOptions({
    queryKey: [...source.key, 'deliveries', id],
    queryFn: ({ pageParam, signal }) => source.deliveries(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    refetchInterval: 10_000,
  });
