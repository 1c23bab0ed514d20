import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listing } from '../../../testing/events';
import { anEvent } from '../../../testing/fixtures';
import { renderEventScreen, signIn } from '../../../testing/render';
import { errorResponse, json, mockServer } from '../../../testing/server';
import StatisticsPage from './StatisticsPage';

const route = 'GET /api/events/e1/statistics';

const none = {
  visits: 0,
  searches: 0,
  searches_found: 0,
  searches_empty: 0,
  found_percent: null,
  guests_helped: 0,
  downloads: 0,
  browsed: 0,
  hearts: 0,
};
const saturday = {
  date: '2026-11-14',
  uploads: 900,
  visits: 1240,
  searches: 300,
  searches_found: 270,
  searches_empty: 30,
  found_percent: 90,
  guests_helped: 210,
  downloads: 4100,
  browsed: 0,
  hearts: 47,
};
const tuesday = { ...none, date: '2026-11-17', uploads: 0, visits: 60 };
const statistics = {
  totals: { ...saturday, visits: 1300 },
  days: [saturday, tuesday],
};

function renderPage(overrides: Parameters<typeof mockServer>[0] = {}) {
  const server = mockServer({
    ...listing(() => [anEvent()]),
    [route]: () => json(statistics),
    ...overrides,
  });
  const view = renderEventScreen(<StatisticsPage />, '/admin/statistics?event=e1');
  return { ...view, ...server };
}

const card = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(signIn);

describe('/admin/statistics', () => {
  it('says how well searches are by what guests said, with what chance leaves open [FACE543]', async () => {
    const accuracy = {
      answers: 41,
      found: { at: 0.9651, low: 0.9521, high: 0.9747 },
      wrong: { at: 0.005, low: 0.0021, high: 0.0116 },
    };
    const { unmount } = renderPage({ [route]: () => json({ ...statistics, accuracy }) });
    const figure = within(await screen.findByRole('region', { name: 'What guests say of their photos' }));
    expect(figure.getByText('About 97 of 100 photos of guests are found (95 to 97).')).toBeVisible();
    expect(
      figure.getByText('About 1 of 200 photos shown is of somebody else (1 of 86 to 1 of 476).'),
    ).toBeVisible();
    expect(figure.getByText(/^From 41 answers\./)).toBeVisible();
    unmount();

    const sound = { answers: 10, found: null, wrong: { at: 0, low: 0, high: 0.037 } };
    renderPage({ [route]: () => json({ ...statistics, accuracy: sound }) });
    expect(await screen.findByText('No photo was called wrong (at most 1 of 27 is).')).toBeVisible();
    expect(screen.queryByText(/of 100 photos of guests/)).toBeNull();
  });

  it('says nothing of how well searches are before there are enough answers [FACE543]', async () => {
    renderPage({ [route]: () => json({ ...statistics, accuracy: null }) });
    await screen.findByRole('region', { name: 'By day' });
    expect(screen.queryByRole('region', { name: 'What guests say of their photos' })).toBeNull();
  });

  it('shows the figures of the event', async () => {
    renderPage();
    const visits = within(await screen.findByRole('region', { name: 'Visits' }));
    expect(await visits.findByText('1,300')).toBeVisible();
    expect(card('Face searches').getByText('300')).toBeVisible();
    expect(card('Face searches').getByText('90% of them found photos')).toBeVisible();
    expect(card('Guests helped').getByText('210')).toBeVisible();
    expect(card('Photos saved').getByText('4,100')).toBeVisible();
    expect(screen.getByText(/nobody is recorded\. Days are in UTC\./)).toBeVisible();
  });

  it('draws each of them by day, and says it in a sentence and a table', async () => {
    renderPage();
    const charts = await screen.findAllByRole('img', { name: /in these days/ });
    expect(charts.map((chart) => chart.querySelectorAll('rect').length)).toEqual([30, 30, 30, 30, 30]);
    expect(charts[0]).toHaveAccessibleName('1,300 visits in these days, most on 14 Nov 2026: 1,240.');
    const rows = within(screen.getByRole('table', { name: 'Day by day' })).getAllByRole('row');
    const cells = rows.map((row) => [...row.children].map((cell) => cell.textContent));
    expect(cells).toEqual([
      [
        'Day',
        'Visits',
        'Face searches',
        'Found photos',
        'Guests helped',
        'Photos saved',
        'Hearts',
        'Photos uploaded',
      ],
      ['17 Nov 2026', '60', '0', '–', '0', '0', '0', '0'],
      ['14 Nov 2026', '1,240', '300', '90%', '210', '4,100', '47', '900'],
    ]);
  });

  it('has the hearts, and the looks at all photos where guests may browse them', async () => {
    const browsed = { ...tuesday, browsed: 12, hearts: 3 };
    renderPage({ [route]: () => json({ totals: statistics.totals, days: [saturday, browsed] }) });
    const charts = await screen.findAllByRole('img', { name: /in these days/ });
    expect(charts[4]).toHaveAccessibleName('50 hearts in these days, most on 14 Nov 2026: 47.');
    expect(charts[5]).toHaveAccessibleName('12 looks at all photos in these days, most on 17 Nov 2026: 12.');
    expect(screen.getByRole('columnheader', { name: 'All photos opened' })).toBeVisible();
  });

  it('saves the days as CSV', async () => {
    const saved = vi.fn<(blob: Blob) => string>(() => 'blob:csv');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() }));
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    renderPage({ 'GET /api/events/e1/statistics.csv': () => new Response('date') });
    const button =
      screen.queryByRole('button', { name: 'Download CSV' }) ??
      (await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(button).toBeEnabled());
    fireEvent.click(button);
    await waitFor(() => expect(clicked).toHaveBeenCalled());
    expect(clicked.mock.contexts[0]).toMatchObject({ download: 'sangeet-k7m2x9q4tr-statistics.csv' });
  });

  it('says that nobody was there, also where photos were uploaded', async () => {
    renderPage({
      [route]: () => json({ totals: none, days: [{ ...none, date: '2026-11-14', uploads: 3 }] }),
    });
    expect(await screen.findByText('No guest has been here yet')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('says that it is loading, and what failed, and tries again', async () => {
    const answers = [() => errorResponse(500), () => json(statistics)];
    renderPage({ [route]: () => (answers.shift() ?? (() => json(statistics)))() });
    expect(await screen.findByRole('status', { name: 'Loading the statistics' })).toBeVisible();
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    const visits = within(await screen.findByRole('region', { name: 'Visits' }));
    expect(await visits.findByText('1,300')).toBeVisible();
    expect(screen.queryByText('Failed to load the statistics')).toBeNull();
  });
});
