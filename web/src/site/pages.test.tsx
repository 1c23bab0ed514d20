import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SnackbarProvider } from '../ui/SnackbarProvider';
import { eventMissing } from '../platform/missingEvent';
import { errorResponse, json, mockServer } from '../testing/server';
import { AfterglowTheme } from '../ui/theme/AfterglowTheme';
import ContactPage from './ContactPage';
import DemoPage from './DemoPage';
import LandingPage from './LandingPage';
import PricingPage from './PricingPage';
import PrivacyPage from './PrivacyPage';
import RefundsPage from './RefundsPage';
import ShippingPage from './ShippingPage';
import TermsPage from './TermsPage';

const siteHandlers = { 'GET /api/site': () => json({ support_email: 'help@studio.example' }) };

function renderPage(Shown: ComponentType, state?: unknown) {
  return render(
    <I18nProvider i18n={i18n}>
      <AfterglowTheme>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <SnackbarProvider>
            <MemoryRouter initialEntries={[{ pathname: '/', state }]}>
              <Shown />
            </MemoryRouter>
          </SnackbarProvider>
        </QueryClientProvider>
      </AfterglowTheme>
    </I18nProvider>,
  );
}

const register = (name: string) => {
  for (const link of screen.getAllByRole('link', { name })) expect(link).toHaveAttribute('href', '/register');
};
const textOfPage = () => screen.getByRole('main').textContent;

/** The forms use relative URLs, which Node's Request rejects. */
function mockSite(answers: Parameters<typeof mockServer>[0]) {
  const server = mockServer(answers);
  const answer = fetch;
  vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) =>
    answer(typeof input === 'string' ? new Request(new URL(input, location.origin), init) : input),
  );
  return server;
}

describe('the landing page', () => {
  test('[FACE078] tells a guest whose event is not there so, and whom to ask', () => {
    renderPage(LandingPage, eventMissing);
    const notice = screen.getByRole('alert');
    expect(notice).toHaveTextContent('These photos are not here, or no longer here');
    expect(notice).toHaveTextContent('Ask the photographer or the host');
  });

  test.each([undefined, null, { other: true }])('[FACE078] says nothing of it with the state %j', (state) => {
    renderPage(LandingPage, state);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('[PUB001] has its title', () => {
    renderPage(LandingPage);
    expect(
      screen.getByRole('heading', {
        level: 1,
        name: 'Professional Photo Management with AI-Powered Face Recognition',
      }),
    ).toBeVisible();
  });

  test('[PUB002] explains six steps in order', () => {
    renderPage(LandingPage);
    const steps = screen
      .getAllByRole('list')
      .filter((list) => list.tagName === 'OL')
      .flatMap((list) => within(list).getAllByRole('heading'));
    expect(steps.map((step) => step.textContent)).toEqual([
      'Create event',
      'Upload photos',
      'AI processing',
      'Share link',
      'Attendee uploads selfie',
      'Attendee finds photos',
    ]);
  });

  test('[PUB003] has feature cards', () => {
    renderPage(LandingPage);
    for (const title of [
      'Face search that stays careful',
      'One link, one code',
      'Bulk upload',
      'Private by design',
      'One rupee a photo',
    ]) {
      expect(screen.getByRole('heading', { name: title }).nextSibling).toHaveTextContent(/\w/);
    }
  });

  test('the code of its card is there with the page, and not once it is scrolled to', () => {
    renderPage(LandingPage);
    const card = screen.getByRole('heading', { name: 'One link, one code' }).closest('.MuiCard-root');
    const code = card?.querySelector('img');
    expect(code).toHaveAttribute('width', '132');
    expect(code).not.toHaveAttribute('loading');
  });

  test.each([
    ['No more “can you send me mine?”', 'Guests help themselves, the same evening.'],
    ['One place for every event', 'Credits, galleries and links stay together.'],
    ['Originals in every hand', 'Guests leave with your files, not with screenshots.'],
  ])('[PUB005] has the benefit blurb %s', (title, text) => {
    renderPage(LandingPage);
    expect(screen.getByRole('heading', { name: title }).nextSibling).toHaveTextContent(text);
  });

  test('[PUB006] [PUB007] [PUB008] its buttons lead to /register', () => {
    renderPage(LandingPage);
    register('Get Started Now');
    register('Try Demo Dashboard');
    register('Start Managing Events');
  });

  test.each([
    ['the landing page', LandingPage],
    ['the demo page', DemoPage],
  ])('[PUB004] [PUB009] [PUB010] %s shows the sample numbers without a call', async (_, Shown) => {
    const server = mockSite({});
    renderPage(Shown);
    const sample = within(screen.getByRole('figure', { name: 'A sample event' }));
    for (const [number, label] of [
      ['247', 'photos'],
      ['89', 'faces'],
      ['85%', 'processed'],
      ['12', 'found'],
    ] as const) {
      expect(sample.getByText(label).nextSibling).toHaveTextContent(number);
    }
    // A call would be made by an effect, which is not awaited above.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.calls).toEqual([]);
  });
});

describe('/pricing', () => {
  test('[PUB011] [PUB012] [PUB013] [PUB014] has a headline and one card', () => {
    renderPage(PricingPage);
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
    register('Get Started');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'AI-powered facial recognition',
      '1 rupee per photo upload',
      'Secure photo storage',
      'Easy photo sharing',
      'Event management dashboard',
    ]);
  });

  test('[PUB015] has six highlights', () => {
    renderPage(PricingPage);
    for (const title of [
      'Advanced AI recognition',
      'Secure and private',
      'Event management',
      'Easy sharing',
      'Bulk upload',
      'Mobile optimized',
    ]) {
      expect(screen.getByRole('heading', { name: title })).toBeVisible();
    }
  });

  test('[PUB016] [PUB017] has four questions and ends with the free credits', () => {
    const { container } = renderPage(PricingPage);
    expect([...container.querySelectorAll('summary')].map((question) => question.textContent)).toEqual([
      'How do credits work?',
      'How do I add credits?',
      'Can I use my credits across events?',
      'How is my data kept safe?',
    ]);
    register('Get Your Free Credits');
  });
});

describe('the legal pages', () => {
  beforeEach(() => void mockSite(siteHandlers));

  test.each([
    ['/privacy', PrivacyPage],
    ['/terms', TermsPage],
    ['/cancellation-refunds', RefundsPage],
    ['/shipping', ShippingPage],
  ])('[PUB018] [PUB020] %s was updated today and shows the server’s address', async (_, Shown) => {
    vi.setSystemTime(new Date(2026, 10, 20, 23, 30));
    renderPage(Shown);
    expect(screen.getByText('Last updated: November 20, 2026')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'help@studio.example' })).toHaveAttribute(
      'href',
      'mailto:help@studio.example',
    );
  });

  test('[PUB019] [PUB021] the privacy policy says what is kept, how long, and which rights there are', () => {
    renderPage(PrivacyPage);
    expect(textOfPage()).toContain('Photos are kept for the event plus 30 days, then deleted.');
    for (const name of ['Data collected', 'Retention', 'Your rights']) {
      expect(screen.getByRole('heading', { name })).toBeVisible();
    }
    expect(textOfPage()).toMatch(/held in memory only, for as long as the search takes/);
    expect(textOfPage()).toContain(
      'Guests download the original without positions, places, names of people, keywords and serial numbers',
    );
    expect(textOfPage()).toMatch(/keep one encrypted description of it, only to leave your face out/);
  });

  test('[FACE560] the privacy policy says how often a result is wrong, and for whom more often', () => {
    renderPage(PrivacyPage);
    // As docs/faces.md has it.
    expect(textOfPage()).toContain('about three photos in a thousand showed somebody else');
    expect(textOfPage()).toContain(
      'two people with East Asian names were taken for one person at least three times as often as others',
    );
  });

  test('[PUB019] the privacy policy says what becomes of photos that guests add', () => {
    renderPage(PrivacyPage);
    expect(screen.getByRole('heading', { name: 'If you add photos of your own' })).toBeVisible();
    expect(textOfPage()).toContain('Until they are let in, only the photographer’s team sees them');
    expect(textOfPage()).toContain('What is declined or taken back is deleted at once');
  });

  test('the days of the running server stand in the privacy policy', async () => {
    mockSite({ 'GET /api/site': () => json({ retention_days: 90 }) });
    renderPage(PrivacyPage);
    expect(await screen.findByText(/kept for the event plus 90 days, then deleted/)).toBeVisible();
    expect(textOfPage()).not.toContain('For a single event');
  });

  test.each([
    [[30, 90, 365], 'For a single event the photographer can choose another time, 365 days at most.'],
    [
      [30, 365, 0],
      'For a single event the photographer can choose another time, also until they delete the photos themselves.',
    ],
  ])('the privacy policy says that %j can be chosen [EVT170]', async (retention_options, text) => {
    mockSite({ 'GET /api/site': () => json({ retention_days: 30, retention_options }) });
    renderPage(PrivacyPage);
    await waitFor(() => expect(textOfPage()).toContain(text));
    expect(textOfPage()).toContain('Photos are kept for the event plus 30 days, then deleted.');
  });

  test('[PUB019] [PUB022] [PUB023] [PUB024] [PUB025] [PUB026] [PUB027] the refunds page has its numbers', () => {
    renderPage(RefundsPage);
    const text = textOfPage();
    expect(text).toContain('Refund requests are taken within 30 days of purchase.');
    expect(text).toMatch(/50% refund.*within 7 days.*Partial delivery/);
    expect(text).toMatch(/100% refundNon-delivery.*technical failure.*duplicate charge/);
    expect(text).toContain('A refund review takes 3-5 business days');
    expect(text).toContain('the processing after it 5-10 business days');
    const rows = screen.getAllByRole('row').map((row) => row.textContent);
    expect(rows.slice(1)).toEqual([
      'Cards5-10 days',
      'Bank transfer7-14 days',
      'Wallets1-3 days',
      'PayPal3-5 days',
    ]);
  });

  test('[PUB028] [PUB029] the terms name the minutes of recognition and the notice of changes', () => {
    renderPage(TermsPage);
    expect(textOfPage()).toContain('Facial recognition takes 5-15 minutes');
    expect(textOfPage()).toContain('Changes of these terms need 30 days’ notice.');
    expect(textOfPage()).toContain('999 rupees once');
  });

  test('[PUB019] shipping is digital delivery', () => {
    renderPage(ShippingPage);
    expect(textOfPage()).toContain('Everything is delivered digitally.');
  });
});

describe('/contact', () => {
  const route = 'POST /api/contact/submit';
  const sent = { ...siteHandlers, [route]: () => json({ success: true }) };

  async function fill() {
    const user = userEvent.setup();
    // Pasted, because typing key by key renders the form for each key.
    const paste = async (label: string, text: string) => {
      await user.click(screen.getByLabelText(label));
      await user.paste(text);
    };
    await paste('Name', 'Asha');
    await paste('Email', 'asha@studio.example');
    await paste('Subject', 'Hello');
    await paste('Message', 'A question');
    return user;
  }

  test('[PUB030] [PUB031] [PUB032] [PUB033] [PUB035] [PUB036] [PUB037] has its form, address and networks', async () => {
    mockSite(sent);
    renderPage(ContactPage);
    expect(screen.getByText(/a service for event photographers and their guests/)).toBeVisible();
    expect(screen.getByRole('form', { name: 'Send us a Message' })).toBeVisible();
    expect(screen.getByLabelText('Name')).toBeVisible();
    expect(screen.getByLabelText('Subject')).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
    expect(screen.getByLabelText('Message').tagName).toBe('TEXTAREA');
    expect(screen.getByLabelText('Message')).toHaveAttribute('rows', '4');
    expect(await screen.findByRole('link', { name: 'help@studio.example' })).toBeVisible();
    for (const name of ['Facebook', 'Instagram', 'X', 'LinkedIn']) {
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', expect.stringMatching(/^https:/));
    }
  });

  test.each(['Name', 'Email', 'Subject', 'Message'])(
    '[PUB034] sends nothing while %s is empty',
    async (label) => {
      const server = mockSite(sent);
      renderPage(ContactPage);
      const user = await fill();
      for (const value of ['', '  ']) {
        fireEvent.change(screen.getByLabelText(label), { target: { value } });
        await user.click(screen.getByRole('button', { name: 'Send Message' }));
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(server.callsTo(route)).toHaveLength(0);
      }
    },
  );

  test('[API027] [PUB038] [PUB041] [PUB042] sends, says so, and clears the form', async () => {
    let deliver: (response: Response) => void = () => undefined;
    const server = mockSite({
      ...siteHandlers,
      [route]: () => new Promise((resolve) => (deliver = resolve)),
    });
    renderPage(ContactPage);
    const user = await fill();
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(await screen.findByRole('button', { name: 'Sending...' })).toBeDisabled();
    await waitFor(() => expect(server.callsTo(route)).toHaveLength(1));
    expect(server.callsTo(route)[0]?.body).toEqual({
      name: 'Asha',
      email: 'asha@studio.example',
      subject: 'Hello',
      message: 'A question',
    });
    deliver(json({ success: true }));
    expect(
      await screen.findByText('Thank you for your message! We will get back to you soon.'),
    ).toBeVisible();
    for (const label of ['Name', 'Email', 'Subject', 'Message']) {
      expect(screen.getByLabelText(label)).toHaveValue('');
    }
  });

  test('[PUB041] [PUB046] what the server says is shown, and counts as sent only with success', async () => {
    const responses = [
      json({ success: false, message: 'Not now.' }),
      json({ success: true, message: 'Got it.' }),
    ];
    mockSite({ ...siteHandlers, [route]: () => responses.shift() ?? errorResponse(500) });
    renderPage(ContactPage);
    const user = await fill();
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(await screen.findByText('Failed to send message. Please try again.')).toBeVisible();
    expect(screen.getByLabelText('Message')).toHaveValue('A question');
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(await screen.findByText('Got it.')).toBeVisible();
    expect(screen.getByLabelText('Message')).toHaveValue('');
  });

  test('[PUB044] [PUB045] a lost network is said and keeps what was typed', async () => {
    mockSite({ ...siteHandlers, [route]: () => Promise.reject(new TypeError('lost')) });
    renderPage(ContactPage);
    const user = await fill();
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(
      await screen.findByText('Network error. Please check your connection and try again.'),
    ).toBeVisible();
    expect(screen.getByLabelText('Message')).toHaveValue('A question');
  });

  test('[PUB043] [PUB045] a refusal is shown and keeps what was typed', async () => {
    mockSite({ ...siteHandlers, [route]: () => errorResponse(400, 'The e-mail address is not valid') });
    renderPage(ContactPage);
    const user = await fill();
    await user.click(screen.getByRole('button', { name: 'Send Message' }));
    expect(await screen.findByText('The e-mail address is not valid')).toBeVisible();
    expect(screen.getByLabelText('Message')).toHaveValue('A question');
    expect(screen.getByRole('button', { name: 'Send Message' })).toBeEnabled();
  });
});
