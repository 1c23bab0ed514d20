import { LegalPage } from './LegalPage';
import { SupportEmail } from './SupportEmail';

const methods = [
  { method: 'Cards', time: '5-10 days' },
  { method: 'Bank transfer', time: '7-14 days' },
  { method: 'Wallets', time: '1-3 days' },
  { method: 'PayPal', time: '3-5 days' },
];

export default function RefundsPage() {
  return (
    <LegalPage title="Cancellation and Refunds">
      <p>
        There is nothing to cancel month by month: credits are bought once and there are no subscriptions. If
        something went wrong, ask for your money back.
      </p>

      <h2>Asking for a refund</h2>
      <p>
        <strong>Refund requests are taken within 30 days of purchase.</strong> Write to <SupportEmail /> with
        the e-mail address of your account, the order number and what happened.
      </p>

      <h2>How much</h2>
      <h3>100% refund</h3>
      <ul>
        <li>Non-delivery: you paid, and the credits or the plan did not arrive.</li>
        <li>A technical failure on our side kept you from using what you paid for.</li>
        <li>A duplicate charge.</li>
      </ul>
      <h3>50% refund</h3>
      <ul>
        <li>Cancellation within 7 days of purchase.</li>
        <li>Partial delivery: a part of what you paid for could not be used.</li>
      </ul>
      <h3>What is not paid out</h3>
      <p>
        Credits that were free, the doubled half of a first recharge, and credits that were spent on photos
        that were stored and could be found. A photo deleted by you, or at the end of its time, gives no
        credit back.
      </p>

      <h2>How long it takes</h2>
      <p>
        A refund review takes 3-5 business days, the processing after it 5-10 business days. How soon the
        money shows depends on the way you paid:
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Payment method</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {methods.map(({ method, time }) => (
            <tr key={method}>
              <td>{method}</td>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>

      <h2>Cancelling an event</h2>
      <p>
        You can delete an event at any time. Its photos, its face data and its public page go; credits spent
        on its uploads do not come back.
      </p>
    </LegalPage>
  );
}
