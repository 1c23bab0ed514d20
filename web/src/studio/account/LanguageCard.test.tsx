import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { languages } from '../../platform/i18n/languages';
import { renderScreen, signIn } from '../../testing/render';
import { errorResponse, json, mockServer } from '../../testing/server';
import { LanguageCard } from './LanguageCard';

const route = '/api/auth/language';
const offered = languages.slice(0, 2);
const other = 'Your mails are in हिन्दी.';

/** The screens stay in English: their other catalogue is not this card's. */
const show = () =>
  renderScreen(<LanguageCard languages={offered} choose={() => Promise.resolve()} />, '/admin/account');

beforeEach(signIn);

describe('the language of the account', () => {
  it('is saved for mails when one is chosen [ACC214]', async () => {
    const { callsTo } = mockServer({
      [`GET ${route}`]: () => json({ language: 'en' }),
      [`PUT ${route}`]: () => json({ language: 'hi' }),
    });
    show();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'हिन्दी');
    await waitFor(() => expect(callsTo(`PUT ${route}`)[0]?.body).toEqual({ language: 'hi' }));
  });

  it('says that it could not be saved [ACC214]', async () => {
    mockServer({
      [`GET ${route}`]: () => json({ language: 'en' }),
      [`PUT ${route}`]: () => errorResponse(500),
    });
    show();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'हिन्दी');
    expect(
      await screen.findByText('The language of your mails could not be saved. Please try again.'),
    ).toBeVisible();
  });

  it('says that mails are in another one, and changes that', async () => {
    mockServer({
      [`GET ${route}`]: () => json({ language: 'hi' }),
      [`PUT ${route}`]: () => json({ language: 'en' }),
    });
    show();
    expect(await screen.findByText(other)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use English for mails too' }));
    await waitFor(() => expect(screen.queryByText(other)).toBeNull());
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('adds nothing where mails are in the same one, and says what could not be loaded', async () => {
    mockServer({ [`GET ${route}`]: () => errorResponse(500) });
    show();
    expect(
      await screen.findByText('The language of your mails could not be loaded. Please try again.'),
    ).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
