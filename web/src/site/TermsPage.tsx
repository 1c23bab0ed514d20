import { t } from '@lingui/core/macro';
import { siteName } from '../platform/siteName';
import { Trans } from '@lingui/react/macro';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { LegalPage } from './LegalPage';
import { SupportEmail } from './SupportEmail';

export default function TermsPage() {
  return (
    <LegalPage title={t`Terms and Conditions`}>
      <p>
        <Trans>
          These terms hold between you and the operator of this {siteName} service when you use it.
        </Trans>
      </p>

      <h2>{t`The service`}</h2>
      <p>
        <Trans>
          Photographers create events, upload photos and share a link. Guests find the photos they are in with
          a selfie and download them. Facial recognition takes 5-15 minutes after an upload, longer for very
          large batches; the event’s page shows how far it is.
        </Trans>
      </p>
      <p>
        <Trans>
          A face search compares likeness. It can miss a photo, and it can, rarely, show one of somebody who
          looks alike. It proves nobody’s identity and must not be used to do so.
        </Trans>
      </p>

      <h2>{t`Your account`}</h2>
      <ul>
        <li>
          <Trans>
            You register with a true name and an e-mail address that is yours, and keep your password to
            yourself.
          </Trans>
        </li>
        <li>{t`You are responsible for what happens under your account.`}</li>
        <li>{t`You can delete your account at any time on its settings page.`}</li>
      </ul>

      <h2>{t`Photos and people`}</h2>
      <ul>
        <li>
          <Trans>
            The photos stay yours. You let us store, process and show them as far as the service needs it.
          </Trans>
        </li>
        <li>
          <Trans>
            You upload only what you may: you hold the rights to the photos, and the people in them, or those
            who answer for them, know that guests can search the event by face.
          </Trans>
        </li>
        <li>{t`If somebody asks you to take down a photo they are in, you do so.`}</li>
        <li>{t`Nothing unlawful, and nothing that harms or exploits people, may be uploaded.`}</li>
        <li>
          <Trans>
            A selfie is for finding yourself, or a child you answer for. Searching for other people against
            their will is not allowed.
          </Trans>
        </li>
      </ul>
      <p>
        <Trans>
          What we do with personal data is in the{' '}
          <Link component={RouterLink} to="/privacy">
            Privacy Policy
          </Link>
          , how long photos are kept as well.
        </Trans>
      </p>

      <h2>{t`Credits and payment`}</h2>
      <ul>
        <li>{t`One credit is one rupee. One photo upload costs one credit.`}</li>
        <li>{t`New accounts get 100 credits for free. Your first recharge gives double credits.`}</li>
        <li>
          <Trans>
            Credits belong to your account and can be used for all of its events. They cannot be passed on.
          </Trans>
        </li>
        <li>
          <Trans>
            A repeated upload of the same photo to the same event, and a file that cannot be read, cost
            nothing.
          </Trans>
        </li>
        <li>
          <Trans>
            The premium plan costs 999 rupees once. Uploads of that account cost nothing from then on. There
            are no subscriptions.
          </Trans>
        </li>
        <li>
          <Trans>
            Refunds are described under{' '}
            <Link component={RouterLink} to="/cancellation-refunds">
              Cancellation and Refunds
            </Link>
            .
          </Trans>
        </li>
      </ul>

      <h2>{t`Availability and liability`}</h2>
      <p>
        <Trans>
          We run the service with care, but do not promise that it is never interrupted. It is no archive:
          keep your originals. Our liability for intent and gross negligence is not limited, nor where the law
          does not allow it; otherwise it ends at what you have paid in the twelve months before.
        </Trans>
      </p>

      <h2>{t`Changes`}</h2>
      <p>
        <Trans>
          Changes of these terms need 30 days’ notice. We send it to your e-mail address; until the new terms
          hold you may close your account and have unused paid credits refunded.
        </Trans>
      </p>

      <h2>{t`Contact`}</h2>
      <p>
        <SupportEmail />
      </p>
    </LegalPage>
  );
}
