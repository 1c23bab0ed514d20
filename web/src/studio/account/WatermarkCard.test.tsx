import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { WatermarkCard } from './WatermarkCard';

const letterWatermark = vi.hoisted(() => vi.fn());
vi.mock('../shared/brand/letterWatermark', () => ({ letterWatermark }));

const route = '/api/studio/watermark';
const studio = {
  name: 'Studio Meera',
  accent: null,
  website: null,
  instagram: null,
  contact: null,
  logo: null,
  dark_logo: null,
};
const watermark = {
  text: '© Studio Meera',
  logo: null,
  position: 'center',
  opacity: 60,
  on_downloads: true,
  sample_url: '/api/studio/watermarks/a',
};
const button = (name: string) => screen.getByRole('button', { name });

beforeEach(() => {
  signIn();
  letterWatermark.mockReset();
  letterWatermark.mockResolvedValue(new Blob(['png'], { type: 'image/png' }));
});

describe('the watermark', () => {
  it('is set up with a picture of its text, and shows its sample', async () => {
    const { calls } = mockServer({
      'GET /api/studio': () => json({ studio }),
      [`GET ${route}`]: () => json({ watermark: null }),
      [`PUT ${route}`]: () => json(watermark),
    });
    renderScreen(<WatermarkCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Set up watermark' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue('© Studio Meera'));
    fireEvent.click(screen.getByRole('radio', { name: 'Centre' }));
    fireEvent.change(screen.getByRole('slider', { name: 'Opacity: 60 %' }), { target: { value: '45' } });
    expect(screen.getByRole('slider', { name: 'Opacity: 45 %' })).toBeVisible();
    const reach = screen.getByRole('radiogroup', { name: 'Where guests see it' });
    expect(reach).toHaveAccessibleDescription(/Originals never have it/);
    expect(within(reach).queryByRole('radio', { checked: true })).toBeNull();
    fireEvent.click(button('Save watermark'));
    expect(await screen.findByText('Please choose where guests see your watermark.')).toBeVisible();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    fireEvent.click(screen.getByRole('radio', { name: /Also on photos that they save in web size/ }));
    expect(screen.queryByText('Please choose where guests see your watermark.')).toBeNull();
    fireEvent.click(button('Save watermark'));
    expect(await screen.findByText('Watermark saved.')).toBeVisible();
    expect(letterWatermark).toHaveBeenCalledWith('© Studio Meera');
    expect(calls.some(({ method }) => method === 'PUT')).toBe(true);
    const sample = screen.getByRole('img', { name: 'A picture with the watermark' });
    expect(sample).toHaveAttribute('src', watermark.sample_url);
  });

  it('is the logo without a text, says why it is refused, and is removed', async () => {
    mockServer({
      'GET /api/studio': () => json({ studio }),
      [`GET ${route}`]: () => json({ watermark }),
      [`PUT ${route}`]: () =>
        errorResponse(
          409,
          'Please add a logo to your studio first, or enter a text',
          'watermark_logo_missing',
        ),
      [`DELETE ${route}`]: () => json({ success: true }),
    });
    renderScreen(<WatermarkCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Edit watermark' }));
    expect(screen.getByRole('radio', { name: /Also on photos that they save/ })).toBeChecked();
    fireEvent.change(screen.getByRole('textbox', { name: 'Text' }), { target: { value: ' ' } });
    fireEvent.click(button('Save watermark'));
    expect(await screen.findByText(/Please add a logo to your studio first/)).toBeVisible();
    expect(letterWatermark).not.toHaveBeenCalled();
    fireEvent.click(button('Remove watermark'));
    expect(await screen.findByText('Watermark removed.')).toBeVisible();
    expect(button('Set up watermark')).toBeVisible();
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('is one of both logos, where there are two', async () => {
    const logo = { url: '/api/studio/logos/a', width: 800, height: 400 };
    const dark = { url: '/api/studio/dark-logos/b', width: 800, height: 400 };
    const sent = vi.spyOn(FormData.prototype, 'append');
    mockServer({
      'GET /api/studio': () => json({ studio: { ...studio, logo, dark_logo: dark } }),
      [`GET ${route}`]: () => json({ watermark }),
      [`PUT ${route}`]: () => json({ ...watermark, text: null, logo: 'dark' }),
    });
    renderScreen(<WatermarkCard />, '/admin/account');
    fireEvent.click(await screen.findByRole('button', { name: 'Edit watermark' }));
    expect(screen.queryByRole('radiogroup', { name: 'Logo' })).toBeNull();
    fireEvent.change(screen.getByRole('textbox', { name: 'Text' }), { target: { value: '' } });
    const choice = screen.getByRole('radiogroup', { name: 'Logo' });
    expect(within(choice).getByRole('radio', { name: 'On a white plate' })).toBeChecked();
    fireEvent.click(within(choice).getByRole('radio', { name: /dark backgrounds/ }));
    fireEvent.click(button('Save watermark'));
    expect(await screen.findByText('Watermark saved.')).toBeVisible();
    expect(sent).toHaveBeenCalledWith('logo', 'dark');
    sent.mockRestore();
  });

  it('says that it could not be loaded, and is none without a studio', async () => {
    mockServer({ 'GET /api/studio': () => json({ studio }), [`GET ${route}`]: () => errorResponse(500) });
    renderScreen(<WatermarkCard />, '/admin/account');
    expect(await screen.findByText('The watermark could not be loaded. Please try again.')).toBeVisible();
    fireEvent.click(button('Set up watermark'));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  it('has no card before there is a studio', async () => {
    const { calls } = mockServer({ 'GET /api/studio': () => json({ studio: null }) });
    renderScreen(<WatermarkCard />, '/admin/account');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Watermark' })).toBeNull();
  });
});
