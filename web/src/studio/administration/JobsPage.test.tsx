import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import JobsPage from './JobsPage';
import { aFailedJob, aKindOfJobs, signInAsAdministrator } from './testing';

const path = '/admin/administration/jobs';
const kinds = 'GET /api/administration/jobs';
const failed = 'GET /api/administration/jobs/failed';

beforeEach(signInAsAdministrator);

describe('the jobs', () => {
  it('counts them by kind, and says why those failed that did', async () => {
    mockServer({
      [kinds]: () =>
        json({ kinds: [aKindOfJobs(), aKindOfJobs({ kind: 'new_kind', failed: 0, oldest_seconds: null })] }),
      [failed]: () => json({ jobs: [aFailedJob()], next_cursor: null }),
    });
    renderScreen(<JobsPage />, path);
    const table = within(await screen.findByRole('table', { name: 'Jobs by kind' }));
    const rows = table.getAllByRole('row').map((row) => within(row));
    expect(rows[1]?.getByText('Find faces in a photo')).toBeVisible();
    expect(rows[1]?.getByText('1,234')).toBeVisible();
    expect(rows[1]?.getByText('about 6 min')).toBeVisible();
    // A newer server may have kinds that this page does not know.
    expect(rows[2]?.getByText('new_kind')).toBeVisible();
    const list = within(await screen.findByRole('table', { name: 'Failed jobs' }));
    expect(list.getByText('the picture cannot be decoded')).toBeVisible();
    expect(list.getByText('Photo p1')).toBeVisible();
    expect(list.getByText('40')).toBeVisible();
  });

  it('shows failed jobs of one kind, which the address keeps', async () => {
    const server = mockServer({
      [kinds]: () => json({ kinds: [aKindOfJobs()] }),
      [failed]: ({ query }) =>
        json({ jobs: query.get('kind') === null ? [aFailedJob()] : [], next_cursor: null }),
    });
    const { router } = renderScreen(<JobsPage />, path);
    await screen.findByRole('table', { name: 'Failed jobs' });
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Kind of failed jobs' }),
      'Find faces in a photo',
    );
    expect(await screen.findByText('None of this kind.')).toBeVisible();
    expect(router.state.location.search).toBe('?kind=index_photo');
    expect(server.callsTo(failed)[1]?.query.get('kind')).toBe('index_photo');
  });

  it('says that nothing waits and nothing failed', async () => {
    mockServer({ [kinds]: () => json({ kinds: [] }), [failed]: () => json({ jobs: [], next_cursor: null }) });
    renderScreen(<JobsPage />, path);
    expect(await screen.findByText('Nothing waits, and nothing has failed.')).toBeVisible();
    expect(await screen.findByText('No failed jobs')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('asks again for each of the two that could not be loaded', async () => {
    const answers = [() => errorResponse(500), () => json({ kinds: [aKindOfJobs()] })];
    mockServer({
      [kinds]: () => (answers.shift() ?? (() => errorResponse(500)))(),
      [failed]: () => errorResponse(500),
    });
    renderScreen(<JobsPage />, path);
    const buttons = () => screen.findAllByRole('button', { name: 'Try again' });
    await screen.findAllByText('The jobs could not be loaded. Please try again.');
    await userEvent.click((await buttons())[0] as HTMLElement);
    expect(await screen.findByRole('table', { name: 'Jobs by kind' })).toBeVisible();
    expect(await buttons()).toHaveLength(1);
  });
});
