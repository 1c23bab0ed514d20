import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Studio } from '../platform/api/types';
import { darkColors, lightColors } from '../ui/theme/tokens';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { StudioLinks, useAccent } from './Studio';

const studio: Studio = {
  name: 'Studio Meera',
  accent: {
    color: '#0b5394',
    light: { background: '#0b5394', label: '#ffffff' },
    dark: { background: '#326fa5', label: '#ffffff' },
  },
  website: 'https://www.meera.example/weddings',
  instagram: 'meera.studio',
  contact: { text: '+91 98450 12345', url: 'tel:+919845012345' },
  logo: { url: '/api/studio/logos/a', width: 800, height: 400 },
  dark_logo: null,
};
const bare: Studio = {
  name: 'Meera',
  accent: null,
  website: null,
  instagram: null,
  contact: null,
  logo: null,
  dark_logo: null,
};

test('the cover names the studio and leads to it', () => {
  const { container } = render(<StudioLinks studio={studio} />);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('Studio Meera')).toBeVisible();
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['meera.example', 'https://www.meera.example/weddings'],
    ['@meera.studio', 'https://www.instagram.com/meera.studio/'],
    ['+91 98450 12345', 'tel:+919845012345'],
  ]);
  expect(screen.getByRole('link', { name: 'meera.example' })).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: '+91 98450 12345' })).not.toHaveAttribute('target');
});

test('a studio may have nothing but a name', () => {
  const { container } = render(<StudioLinks studio={bare} />);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('Meera')).toBeVisible();
  expect(screen.queryByRole('link')).toBeNull();
});

function Accented({ accent }: { accent: Studio['accent'] }) {
  useAccent(accent);
  return null;
}

test('main buttons have the colours of the studio while there is one', () => {
  const { style } = document.documentElement;
  const colors = () =>
    ['light', 'light-label', 'dark', 'dark-label'].map((name) => style.getPropertyValue(`--studio-${name}`));
  const { rerender, unmount } = render(<Accented accent={studio.accent} />);
  expect(colors()).toEqual(['#0b5394', '#ffffff', '#326fa5', '#ffffff']);
  rerender(<Accented accent={null} />);
  expect(colors()).toEqual(['', '', '', '']);
  rerender(<Accented accent={studio.accent} />);
  unmount();
  expect(colors()).toEqual(['', '', '', '']);
});

test('the server knows the surfaces of both themes', () => {
  const source = readFileSync(
    resolve(import.meta.dirname, '../../../crates/domain/src/studio/studios.rs'),
    'utf8',
  );
  const known = [...source.matchAll(/Color::new\(0x(..), 0x(..), 0x(..)\)/g)].map(
    ([, red = '', green = '', blue = '']) => `#${red}${green}${blue}`.toUpperCase(),
  );
  expect(known).toEqual(
    [
      lightColors.bg,
      lightColors.surface,
      lightColors.sunken,
      darkColors.bg,
      darkColors.surface,
      darkColors.raised,
    ].map((color) => color.toUpperCase()),
  );
});
