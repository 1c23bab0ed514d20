import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LegalPage } from './LegalPage';
import { SupportEmail } from './SupportEmail';

const methods = () => [
  { method: t`Cards`, time: t`5-10 days` },
  { method: t`Bank transfer`, time: t`7-14 days` },
  { method: t`Wallets`, time: t`1-3 days` },
  { method: 'PayPal', time: t`3-5 days` },
];

export default function RefundsPage() {
  return (
    <LegalPage title={t`Cancellation and Refunds`}>
      <p>
        <Trans>
          There is nothing to cancel month by month: credits are bought once and there are no subscriptions.
          If something went wrong, ask for your money back.
        </Trans>
      </p>

      <h2>{t`Asking for a refund`}</h2>
      <p>
        <Trans>
          <strong>Refund requests are taken within 30 days of purchase.</strong> Write to <SupportEmail />{' '}
          with the e-mail address of your account, the order number and what happened.
        </Trans>
      </p>

      <h2>{t`How much`}</h2>
      <h3>{t`100% refund`}</h3>
      <ul>
        <li>{t`Non-delivery: you paid, and the credits or the plan did not arrive.`}</li>
        <li>{t`A technical failure on our side kept you from using what you paid for.`}</li>
        <li>{t`A duplicate charge.`}</li>
      </ul>
      <h3>{t`50% refund`}</h3>
      <ul>
        <li>{t`Cancellation within 7 days of purchase.`}</li>
        <li>{t`Partial delivery: a part of what you paid for could not be used.`}</li>
      </ul>
      <h3>{t`What is not paid out`}</h3>
      <p>
        <Trans>
          Credits that were free, the doubled half of a first recharge, and credits that were spent on photos
          that were stored and could be found. A photo deleted by you, or at the end of its time, gives no
          credit back.
        </Trans>
      </p>

      <h2>{t`How long it takes`}</h2>
      <p>
        <Trans>
          A refund review takes 3-5 business days, the processing after it 5-10 business days. How soon the
          money shows depends on the way you paid:
        </Trans>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Payment method`}</th>
            <th scope="col">{t`Time`}</th>
          </tr>
        </thead>
        <tbody>
          {methods().map(({ method, time }) => (
            <tr key={method}>
              <td>{method}</td>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>

      <h2>{t`Cancelling an event`}</h2>
      <p>
        <Trans>
          You can delete an event at any time. Its photos, its face data and its public page go; credits spent
          on its uploads do not come back.
        </Trans>
      </p>
    </LegalPage>
  );
}
