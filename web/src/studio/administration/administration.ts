import { t } from '@lingui/core/macro';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrapResponse } from '../../platform/api/client';

/** Every query of the administration begins with it. */
export const administrationKey = ['administration'] as const;

/** How many rows a list has at first, and how many more each time. */
const pageSize = 50;

const pageQuery = (cursor: string | null, filter: Record<string, string>) => ({
  limit: pageSize,
  ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')),
  ...(cursor !== null && { cursor }),
});

export const overviewFailedText = (): string => t`The overview could not be loaded. Please try again.`;
export const accountsFailedText = (): string => t`The accounts could not be loaded. Please try again.`;
export const accountFailedText = (): string => t`The account could not be loaded. Please try again.`;
export const eventsFailedText = (): string => t`The events could not be loaded. Please try again.`;
export const jobsFailedText = (): string => t`The jobs could not be loaded. Please try again.`;
export const paymentsFailedText = (): string => t`The payments could not be loaded. Please try again.`;
export const settingsFailedText = (): string => t`The settings could not be loaded. Please try again.`;
export const overviewQuery = () =>
  queryOptions({
    queryKey: [...administrationKey, 'overview'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/administration/overview', { signal }), overviewFailedText()),
    refetchInterval: 60_000,
  });

export const accountsQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [...administrationKey, 'accounts', query],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/administration/accounts', {
          params: { query: pageQuery(pageParam, { query }) },
          signal,
        }),
        accountsFailedText(),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    placeholderData: keepPreviousData,
  });

export const accountKey = (id: string) => [...administrationKey, 'account', id] as const;

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: accountKey(id),
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/administration/accounts/{id}', { params: { path: { id } }, signal }),
        accountFailedText(),
      ),
  });

export const eventsQuery = () =>
  infiniteQueryOptions({
    queryKey: [...administrationKey, 'events'],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/administration/events', {
          params: { query: pageQuery(pageParam, {}) },
          signal,
        }),
        eventsFailedText(),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

export const jobsKey = [...administrationKey, 'jobs'] as const;

export const jobsQuery = () =>
  queryOptions({
    queryKey: [...jobsKey, 'kinds'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/administration/jobs', { signal }), jobsFailedText()),
    // The figures move while somebody looks at them.
    refetchInterval: 10_000,
  });

export const failedJobsQuery = (kind: string) =>
  infiniteQueryOptions({
    queryKey: [...jobsKey, 'failed', kind],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        api.GET('/api/administration/jobs/failed', {
          params: { query: pageQuery(pageParam, { kind }) },
          signal,
        }),
        jobsFailedText(),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
    placeholderData: keepPreviousData,
  });

export const paymentsKey = [...administrationKey, 'payments'] as const;

export const paymentsQuery = () =>
  queryOptions({
    queryKey: paymentsKey,
    queryFn: ({ signal }) =>
      unwrapResponse(
        api.GET('/api/administration/payments', {
          signal,
        }),
        paymentsFailedText(),
      ),
  });

/** The invoices and notes of a month as a CSV file. */
export const fetchRegister = (month: string): Promise<Blob> =>
  unwrapResponse(
    api.GET('/api/administration/invoices', {
      params: { query: { month } },
      parseAs: 'blob',
    }) as Promise<{ data?: Blob; response: Response }>,
    t`The register could not be downloaded. Please try again.`,
  );

export const settingsQuery = () =>
  queryOptions({
    queryKey: [...administrationKey, 'settings'],
    queryFn: ({ signal }) =>
      unwrapResponse(api.GET('/api/administration/settings', { signal }), settingsFailedText()),
  });
