import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** A filter that is kept in the address, so that a reload and a link keep it; '' is none. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, setParameters],
  );
  return [parameters.get(name) ?? '', set];
}

/** The value if it is one of these, else the first of them. */
export const oneOf = <T extends string>(value: string, values: readonly [T, ...T[]]): T =>
  values.find((each) => each === value) ?? values[0];
