import { LegalPage } from './LegalPage';
import { SupportEmail } from './SupportEmail';

export default function ShippingPage() {
  return (
    <LegalPage title="Shipping and Delivery">
      <p>
        <strong>Everything is delivered digitally.</strong> Nothing is sent by post, and there are no shipping
        costs.
      </p>

      <h2>Credits and plans</h2>
      <p>
        Credits and the premium plan are on your account as soon as the payment is confirmed, as a rule within
        seconds. If your browser was closed meanwhile, they arrive all the same.
      </p>

      <h2>Photos</h2>
      <ul>
        <li>A photo is in your gallery as soon as its upload has ended.</li>
        <li>
          Facial recognition takes 5-15 minutes. Each photo can be found the moment its own faces are known;
          the event’s page shows how many are.
        </li>
        <li>
          Guests see and download their photos on the event’s page, in the browser, without an account.
          Downloads are the originals, byte for byte.
        </li>
      </ul>

      <h2>How long it is there</h2>
      <p>
        Photos are kept for the event plus 30 days, then deleted, unless the operator of this service has set
        another time; the Privacy Policy names the one in force. Download what you want to keep before.
      </p>

      <h2>If something does not arrive</h2>
      <p>
        Write to <SupportEmail />. What was paid and not delivered is refunded in full.
      </p>
    </LegalPage>
  );
}
