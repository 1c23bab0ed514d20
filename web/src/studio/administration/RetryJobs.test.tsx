import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import JobsPage from './JobsPage';
import { aFailedJob, aKindOfJobs, signInAsAdministrator } from './testing';

const path = '/admin/administration/jobs';

beforeEach(signInAsAdministrator);

describe('failed jobs that are tried again', () => {
  it('are one alone, whose neighbour then has the focus', async () => {
    let jobs = [aFailedJob(), aFailedJob({ id: 'j2', kind: 'tell_guest', photo_id: null })];
    const server = mockServer({
      'GET /api/administration/jobs': () => json({ kinds: [] }),
      'GET /api/administration/jobs/failed': () => json({ jobs, next_cursor: null }),
      'POST /api/administration/jobs/j1/retry': () => {
        jobs = jobs.slice(1);
        return json({ retried: 1, more: false });
      },
    });
    renderScreen(<JobsPage />, path);
    await userEvent.click(await screen.findByRole('button', { name: 'Try again: Find faces in a photo' }));
    expect(await screen.findByText('The job is tried again.')).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Try again: Find faces in a photo' })).toBeNull(),
    );
    expect(screen.getByRole('button', { name: 'Try again: Mail: new photos of a guest' })).toHaveFocus();
    expect(server.callsTo('POST /api/administration/jobs/j1/retry')).toHaveLength(1);
  });

  it('are all of a kind', async () => {
    let failed = 17;
    const server = mockServer({
      'GET /api/administration/jobs': () => json({ kinds: [aKindOfJobs({ failed })] }),
      'GET /api/administration/jobs/failed': () => json({ jobs: [], next_cursor: null }),
      // The server takes a part of many at a time.
      'POST /api/administration/jobs/retry': () => {
        failed = Math.max(0, failed - 10);
        return failed > 0 ? json({ retried: 10, more: true }) : json({ retried: 7, more: false });
      },
    });
    renderScreen(<JobsPage />, path);
    const name = 'Try all failed jobs again: Find faces in a photo';
    await userEvent.click(await screen.findByRole('button', { name }));
    expect(await screen.findByText('17 jobs are tried again.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
    const calls = server.callsTo('POST /api/administration/jobs/retry');
    expect(calls.map(({ body }) => body)).toEqual([{ kind: 'index_photo' }, { kind: 'index_photo' }]);
  });

  it('say why they are not, and the list is read again', async () => {
    const server = mockServer({
      'GET /api/administration/jobs': () => json({ kinds: [aKindOfJobs()] }),
      'GET /api/administration/jobs/failed': () => json({ jobs: [aFailedJob()], next_cursor: null }),
      'POST /api/administration/jobs/j1/retry': () =>
        errorResponse(404, 'There is no such failed job', 'job_not_found'),
      'POST /api/administration/jobs/retry': () => errorResponse(500),
    });
    renderScreen(<JobsPage />, path);
    await userEvent.click(await screen.findByRole('button', { name: 'Try again: Find faces in a photo' }));
    expect(await screen.findByText('There is no such failed job')).toBeVisible();
    await waitFor(() => expect(server.callsTo('GET /api/administration/jobs/failed')).toHaveLength(2));
    await userEvent.click(screen.getByRole('button', { name: /^Try all failed jobs again/ }));
    expect(await screen.findByText('This could not be done. Please try again.')).toBeVisible();
  });
});
