import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { type Filter, filterIn, listOf, putFilter } from './filters';

/** Milliseconds after the last letter of a name before photos are looked for, and the address is changed. */
const typingPause = 250;

/** What was chosen, until the address follows: a navigation takes a moment, and a control changes at once. */
interface Chosen {
  filter: Filter;
  /** The parameters of the address at that time. */
  over: string;
}

/**
 * Which photos are shown, and in which order: it stands in the address, so that a reload, the way back and a visit of the
 * trash keep it. `typed` has the name as it stands in the field, which the address follows a moment later.
 */
export function useFilter() {
  const [address, setAddress] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const parameters = address.toString();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  if (chosen !== null && chosen.over !== parameters) setChosen(null);
  const filter = chosen?.over === parameters ? chosen.filter : filterIn(address);
  const { name } = filter;
  const [typing, setTyping] = useState<string | null>(null);
  if (typing === name) setTyping(null);

  const put = useCallback(
    (wanted: Partial<Filter>) =>
      setAddress((now) => putFilter(now, { ...filterIn(now), ...wanted }), {
        replace: true,
        preventScrollReset: true,
        state,
      }),
    [setAddress, state],
  );
  useEffect(() => {
    if (typing === null) return undefined;
    const timer = setTimeout(() => put({ name: typing }), typingPause);
    return () => clearTimeout(timer);
  }, [typing, put]);

  return {
    filter,
    typed: typing ?? name,
    change: (wanted: Filter) => {
      // What is chosen holds at once, as does an empty field; a name waits for its last letter.
      const onlyName = listOf({ ...wanted, name }) === listOf(filter);
      setTyping(wanted.name === name ? null : wanted.name);
      if (onlyName && wanted.name !== '') return;
      // What is chosen next builds on it: of two choices in a row both hold.
      setChosen({ filter: wanted, over: parameters });
      put(wanted);
    },
  };
}
