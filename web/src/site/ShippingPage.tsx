import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LegalPage } from './LegalPage';
import { SupportEmail } from './SupportEmail';

export default function ShippingPage() {
  return (
    <LegalPage title={t`Shipping and Delivery`}>
      <p>
        <Trans>
          <strong>Everything is delivered digitally.</strong> Nothing is sent by post, and there are no
          shipping costs.
        </Trans>
      </p>

      <h2>{t`Credits and plans`}</h2>
      <p>
        <Trans>
          Credits and the premium plan are on your account as soon as the payment is confirmed, as a rule
          within seconds. If your browser was closed meanwhile, they arrive all the same.
        </Trans>
      </p>

      <h2>{t`Photos`}</h2>
      <ul>
        <li>{t`A photo is in your gallery as soon as its upload has ended.`}</li>
        <li>
          <Trans>
            Facial recognition takes 5-15 minutes. Each photo can be found the moment its own faces are known;
            the event’s page shows how many are.
          </Trans>
        </li>
        <li>
          <Trans>
            Guests see and download their photos on the event’s page, in the browser, without an account.
          </Trans>
        </li>
      </ul>

      <h2>{t`How long it is there`}</h2>
      <p>
        <Trans>
          Photos are kept for the event plus 30 days, then deleted, unless the operator of this service has
          set another time; the Privacy Policy names the one in force. Download what you want to keep before.
        </Trans>
      </p>

      <h2>{t`If something does not arrive`}</h2>
      <p>
        <Trans>
          Write to <SupportEmail />. What was paid and not delivered is refunded in full.
        </Trans>
      </p>
    </LegalPage>
  );
}
