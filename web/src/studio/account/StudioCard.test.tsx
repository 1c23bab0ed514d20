import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { darkColors } from '../../ui/theme/tokens';
import { StudioCard } from './StudioCard';

const route = '/api/studio';
const studio = {
  name: 'Studio Meera',
  accent: {
    color: '#ffffff',
    light: { background: '#8f8f8f', label: '#000000' },
    dark: { background: '#ffffff', label: '#000000' },
  },
  website: 'https://meera.example',
  instagram: 'meera.studio',
  contact: { text: 'hello@meera.example', url: 'mailto:hello@meera.example' },
  logo: null,
  dark_logo: null,
};

beforeEach(signIn);

const card = () => screen.getByRole('region', { name: 'Studio' });
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });

describe('the studio', () => {
  it('is set up, and shows what guests see', async () => {
    const { calls } = mockServer({
      [`GET ${route}`]: () => json({ studio: null }),
      [`PUT ${route}`]: () => json(studio),
      [`GET ${route}/accent`]: () => json(studio.accent),
    });
    renderScreen(<StudioCard />, '/admin/account');
    expect(await screen.findByText(/^Your name and your links/)).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Set up studio' }));
    const save = screen.getByRole('button', { name: 'Save studio' });
    expect(save).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Remove studio' })).toBeNull();
    type('Studio name', 'Studio Meera');
    fireEvent.change(screen.getByLabelText('Choose the accent colour'), { target: { value: '#ffffff' } });
    expect(screen.getByRole('textbox', { name: 'Accent colour' })).toHaveValue('#ffffff');
    const preview = await screen.findByRole('group', { name: 'Preview of the colour' });
    expect(await within(preview).findByText('The nearest that can be seen here: #8f8f8f')).toBeVisible();
    expect(within(preview).getByRole('img', { name: 'Chosen: #ffffff' })).toBeVisible();
    expect(within(preview).getByText('As chosen')).toBeVisible();
    type('Accent colour', 'white');
    expect(screen.queryByRole('group', { name: 'Preview of the colour' })).toBeNull();
    type('Accent colour', '#ffffff');
    type('Website', 'meera.example');
    type('Instagram handle', '@meera.studio');
    type('Contact', 'hello@meera.example');
    fireEvent.click(save);
    expect(await screen.findByText('Studio saved.')).toBeVisible();
    const sent = calls.find(({ method }) => method === 'PUT');
    expect(sent?.body).toEqual({
      name: 'Studio Meera',
      accent: '#ffffff',
      website: 'meera.example',
      instagram: '@meera.studio',
      contact: 'hello@meera.example',
    });
    for (const text of ['Studio Meera', 'https://meera.example', '@meera.studio', 'hello@meera.example'])
      expect(within(card()).getByText(text)).toBeVisible();
    expect(screen.getByText('Light theme')).toHaveStyle({ backgroundColor: '#8f8f8f', color: '#000000' });
    expect(screen.getByText('Dark theme')).toHaveStyle({ backgroundColor: '#ffffff' });
  });

  it('opens its form when it is loaded, where it was asked for before', async () => {
    let answer: (response: Response) => void = () => undefined;
    mockServer({ [`GET ${route}`]: () => new Promise<Response>((resolve) => (answer = resolve)) });
    renderScreen(<StudioCard />, '/admin/account');
    fireEvent.click(screen.getByRole('button', { name: 'Set up studio' }));
    expect(screen.queryByRole('textbox', { name: 'Studio name' })).toBeNull();
    answer(json({ studio }));
    expect(await screen.findByRole('textbox', { name: 'Studio name' })).toHaveValue('Studio Meera');
  });

  it('is changed and removed', async () => {
    mockServer({
      [`GET ${route}`]: () => json({ studio }),
      [`PUT ${route}`]: () =>
        errorResponse(400, 'Website must be an https address', 'studio_website_invalid'),
      [`DELETE ${route}`]: () => json({ success: true }),
    });
    renderScreen(<StudioCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Edit studio' }));
    expect(screen.getByRole('textbox', { name: 'Instagram handle' })).toHaveValue('@meera.studio');
    type('Website', 'http://meera.example');
    fireEvent.click(screen.getByRole('button', { name: 'Save studio' }));
    expect(await screen.findByText(/Website must be an https address/)).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Remove studio' }));
    expect(await screen.findByText('Studio removed.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Set up studio' })).toBeVisible();
  });

  it('has a logo, which is refused with the reason, shown and removed', async () => {
    const logo = { url: '/api/studio/logos/a', width: 800, height: 400 };
    let answers = [
      errorResponse(400, 'The logo must be a PNG or JPEG file.', 'studio_logo_format'),
      json({ ...studio, logo }),
    ];
    mockServer({
      [`GET ${route}`]: () => json({ studio }),
      [`PUT ${route}/logo`]: () => {
        const [answer, ...rest] = answers;
        answers = rest;
        return answer as Response;
      },
      [`DELETE ${route}/logo`]: () => json({ success: true }),
    });
    renderScreen(<StudioCard />, '/admin/account');
    expect(await screen.findByRole('button', { name: 'Add logo' })).toBeVisible();
    const choose = () =>
      fireEvent.change(screen.getByLabelText('Logo file'), {
        target: { files: [new File(['<svg/>'], 'logo.png', { type: 'image/png' })] },
      });
    choose();
    expect(await screen.findByText(/The logo must be a PNG or JPEG file/)).toBeVisible();
    choose();
    expect(await screen.findByRole('img', { name: 'Logo of Studio Meera' })).toHaveAttribute('src', logo.url);
    expect(screen.getByRole('button', { name: 'Replace logo' })).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Remove logo' }));
    expect(await screen.findByRole('button', { name: 'Add logo' })).toBeVisible();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('has a logo for dark backgrounds beside it, which is shown on one and removed by itself', async () => {
    const logo = { url: '/api/studio/logos/a', width: 800, height: 400 };
    const dark = { url: '/api/studio/dark-logos/b', width: 800, height: 400 };
    mockServer({
      [`GET ${route}`]: () => json({ studio: { ...studio, logo } }),
      [`PUT ${route}/dark-logo`]: () => json({ ...studio, logo, dark_logo: dark }),
      [`DELETE ${route}/dark-logo`]: () => json({ success: true }),
    });
    renderScreen(<StudioCard />, '/admin/account');
    fireEvent.change(await screen.findByLabelText('Logo file for dark backgrounds'), {
      target: { files: [new File(['png'], 'white.png', { type: 'image/png' })] },
    });
    const shown = await screen.findByRole('img', { name: 'Logo of Studio Meera for dark backgrounds' });
    expect(shown).toHaveAttribute('src', dark.url);
    expect(shown).toHaveStyle({ backgroundColor: darkColors.surface });
    expect(screen.getByRole('img', { name: 'Logo of Studio Meera' })).toHaveStyle({
      backgroundColor: '#ffffff',
    });
    fireEvent.click(screen.getByRole('button', { name: 'Remove logo for dark backgrounds' }));
    expect(await screen.findByRole('button', { name: 'Add logo for dark backgrounds' })).toBeVisible();
    expect(screen.getByRole('img', { name: 'Logo of Studio Meera' })).toBeVisible();
  });

  it('says that it could not be loaded, and offers no form then', async () => {
    mockServer({ [`GET ${route}`]: () => errorResponse(500) });
    renderScreen(<StudioCard />, '/admin/account');
    expect(await screen.findByText('The studio could not be loaded. Please try again.')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Set up studio' }));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });
});
