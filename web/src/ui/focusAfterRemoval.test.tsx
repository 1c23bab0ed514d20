import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { focusAfterRemoval, removalRegion, removesEntry } from './focusAfterRemoval';

function List() {
  const [names, setNames] = useState(['a', 'b', 'c']);
  return (
    <main id="main">
      <section {...removalRegion}>
        {names.map((name) => (
          <button
            key={name}
            {...removesEntry}
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget);
              setNames(names.filter((each) => each !== name));
            }}
          >
            {name}
          </button>
        ))}
      </section>
    </main>
  );
}

it('keeps the focus in the list, and then on the page, when entries are removed by keyboard', async () => {
  const user = userEvent.setup();
  render(<List />);
  screen.getByRole('button', { name: 'b' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'c' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'a' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('main')).toHaveFocus();
});
