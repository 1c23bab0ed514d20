import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sky } from './Sky';

it("shows the picture of the address's slug, whatever the address holds, and says nothing", () => {
  render(<Sky slug="../api?x" />);
  const picture = screen.getByRole('presentation');
  expect(picture).toHaveAttribute('src', '/covers/..%2Fapi%3Fx.svg');
  expect(picture).toHaveAttribute('alt', '');
});
