import { plural, t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../../platform/api/errors';
import type { People, Person } from '../../../platform/api/types';
import { EmptyState } from '../../../ui/EmptyState';
import { useWorkspaceEvent } from '../../shared/events/workspace/context';
import { formatCount } from '../../../platform/formats';
import { personList, photosKey } from '../photos/photos';
import { LoadError } from '../photos/LoadError';
import { SelectionFrame } from '../photos/SelectionFrame';
import { peopleAddress } from './address';
import { hidePerson, mergePerson, peopleQuery } from './people';
import { PeopleOff } from './PeopleOff';
import { PersonTile, tilePadding } from './PersonTile';
import { useChange } from './useChange';

const grid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'repeat(3, minmax(0, 1fr))', sm: 'repeat(auto-fill, minmax(128px, 1fr))' },
  gap: 2,
  p: 0,
  m: 0,
  listStyle: 'none',
} as const;

const peopleText = (count: number) => plural(count, { one: '# person', other: '# people' });
const selectedText = (count: number) =>
  count === 0 ? t`Select people` : plural(count, { one: '# person selected', other: '# people selected' });
const waitingText = (count: number) =>
  plural(count, {
    one: '# face is not put together yet. That happens by itself, within minutes of the last upload.',
    other: '# faces are not put together yet. That happens by itself, within minutes of the last upload.',
  });

function PeopleSkeleton() {
  return (
    <Box role="status" aria-busy="true" aria-label={t`Loading the people`} sx={grid}>
      {Array.from({ length: 12 }, (_, index) => (
        <Box key={index} sx={{ display: 'grid', justifyItems: 'center', gap: 2, p: tilePadding }}>
          <Skeleton variant="circular" width={92} height={92} />
          <Skeleton width={64} height={20} />
        </Box>
      ))}
    </Box>
  );
}

/** Why there is nobody. */
function Nobody({ hidden, waiting }: { hidden: boolean; waiting: number }) {
  if (hidden) return <Typography color="textSecondary">{t`Nobody is hidden.`}</Typography>;
  return (
    <Card>
      <EmptyState
        title={t`Nobody here yet`}
        description={
          waiting > 0
            ? waitingText(waiting)
            : t`Once faces are found in the photos of this event, those that are alike are put together here.`
        }
      />
    </Card>
  );
}

/** Which people are shown; only where some were put aside. */
function Lists({ eventId, hidden, page }: { eventId: string; hidden: boolean; page: People }) {
  const navigate = useNavigate();
  const counts = { [String(hidden)]: page.total_count, [String(!hidden)]: page.other_count };
  if (!hidden && page.other_count === 0) return null;
  const count = (list: boolean) => formatCount(counts[String(list)] ?? 0);
  return (
    <ToggleButtonGroup
      exclusive
      aria-label={t`Who is shown`}
      value={hidden}
      sx={{ mb: 5 }}
      onChange={(_, list: boolean | null) =>
        void navigate(peopleAddress(eventId, { hidden: list ?? hidden }), { replace: true })
      }
    >
      <ToggleButton value={false}>{t`Shown (${{ count: count(false) }})`}</ToggleButton>
      <ToggleButton value={true}>{t`Hidden (${{ count: count(true) }})`}</ToggleButton>
    </ToggleButtonGroup>
  );
}

/** The people who are selected, and what can be done with them. */
function useSelectedPeople(eventId: string, people: readonly Person[]) {
  const client = useQueryClient();
  const [active, setActive] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Somebody who is gone is not selected any more; those in most photos come first.
  const ids = people.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const clear = () => {
    setChosen(new Set());
    setActive(false);
  };
  const merging = useChange<readonly string[]>(eventId, {
    change: async ([into = '', ...others]) => {
      for (const id of others) await mergePerson(id, into);
    },
    doneText: () => t`They are one person now.`,
    failedText: () => t`The people could not be merged. Please try again.`,
    onDone: ([into = '']) => {
      client.removeQueries({ queryKey: photosKey(eventId, personList(into)) });
      clear();
    },
  });
  const hiding = useChange<{ ids: readonly string[]; hidden: boolean }>(eventId, {
    change: async (wanted) => {
      for (const id of wanted.ids) await hidePerson(id, wanted.hidden);
    },
    doneText: ({ ids: done, hidden }) =>
      hidden
        ? plural(done.length, { one: '# person is hidden.', other: '# people are hidden.' })
        : plural(done.length, { one: '# person is shown again.', other: '# people are shown again.' }),
    failedText: () => t`The change could not be saved. Please try again.`,
    onDone: clear,
  });
  return {
    active,
    ids,
    busy: merging.isPending || hiding.isPending,
    merging,
    hiding,
    toggleActive: () => (active ? clear() : setActive(true)),
    toggle: (id: string) =>
      setChosen((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
  };
}

/** The people of an event with the numbers of their photos: each leads to them; several can be merged, or hidden. */
export function EventPeople({ hidden }: { hidden: boolean }) {
  const event = useWorkspaceEvent();
  const query = useInfiniteQuery(peopleQuery(event.id, hidden));
  const people = query.data?.pages.flatMap((page) => page.people) ?? [];
  const newest = query.data?.pages.at(-1);
  const selection = useSelectedPeople(event.id, people);
  const select = useRef<HTMLButtonElement>(null);
  const count = selection.ids.length;
  // The buttons of the bar are gone once it is done.
  const focusSelect = { onSuccess: () => select.current?.focus() };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, minHeight: 44, mb: 3.5 }}>
        <Typography sx={{ flex: 1 }} color="textSecondary">
          {newest !== undefined && newest.enabled && peopleText(newest.total_count)}
        </Typography>
        {people.length > 0 && (
          <Button ref={select} onClick={selection.toggleActive} sx={{ px: 3, minWidth: 0 }}>
            {selection.active ? t`Cancel` : t`Select`}
          </Button>
        )}
      </Box>

      {newest === undefined && query.error !== null && (
        <LoadError
          text={errorMessage(query.error, t`Failed to load the people. Please try again.`)}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <PeopleSkeleton />}
      {newest?.enabled === false && <PeopleOff eventId={event.id} />}
      {newest?.enabled === true && (
        <>
          <Lists eventId={event.id} hidden={hidden} page={newest} />
          {people.length === 0 && <Nobody hidden={hidden} waiting={newest.waiting_faces} />}
          {people.length > 0 && newest.waiting_faces > 0 && (
            <Typography role="status" color="textSecondary" sx={{ mb: 5 }}>
              {waitingText(newest.waiting_faces)}
            </Typography>
          )}
          {people.length > 0 && (
            <Box component="ul" aria-label={t`People`} sx={grid}>
              {people.map((person, index) => (
                <li key={person.id}>
                  <PersonTile
                    person={person}
                    place={index + 1}
                    address={peopleAddress(event.id, { person: person.id, hidden })}
                    selecting={selection.active}
                    selected={selection.ids.includes(person.id)}
                    onToggle={() => selection.toggle(person.id)}
                  />
                </li>
              ))}
            </Box>
          )}
          {query.hasNextPage && (
            <Box sx={{ display: 'grid', justifyItems: 'center', mt: 6 }}>
              <Button
                variant="outlined"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t`Show more people`}
              </Button>
            </Box>
          )}
          {query.isFetchNextPageError && (
            <LoadError
              text={t`Failed to load the people. Please try again.`}
              busy={query.isFetchingNextPage}
              onRetry={() => void query.fetchNextPage()}
            />
          )}
          {selection.active && (
            <SelectionFrame
              text={selectedText(count)}
              note={count === 1 && !hidden ? t`Select another one who is the same person.` : ''}
            >
              <Button
                size="small"
                loading={selection.hiding.isPending}
                disabled={count === 0 || selection.busy}
                onClick={() => selection.hiding.mutate({ ids: selection.ids, hidden: !hidden }, focusSelect)}
              >
                {hidden ? t`Show again` : t`Hide`}
              </Button>
              <Button
                size="small"
                variant="contained"
                color="primary"
                loading={selection.merging.isPending}
                disabled={count < 2 || selection.busy}
                onClick={() => selection.merging.mutate(selection.ids, focusSelect)}
              >
                {t`Merge`}
              </Button>
            </SelectionFrame>
          )}
        </>
      )}
    </>
  );
}
