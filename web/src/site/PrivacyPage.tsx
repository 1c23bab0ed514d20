import { plural, t } from '@lingui/core/macro';
import { siteName } from '../platform/siteName';
import { Plural, Trans } from '@lingui/react/macro';
import { LegalPage } from './LegalPage';
import { useSiteInfo } from './siteInfo';
import { SupportEmail } from './SupportEmail';

/** The retention period, as configured on the server. */
function Retention() {
  const site = useSiteInfo();
  const days = site?.retentionDays ?? 30;
  const longest = site?.longestRetentionDays ?? days;
  if (days === 0) {
    return (
      <p>
        <Trans>
          Photos are kept until the photographer deletes them or the event; this server sets no end of its
          own.
        </Trans>
      </p>
    );
  }
  return (
    <p>
      <Trans>
        <strong>
          Photos are kept for the event plus <Plural value={days} one="# day" other="# days" />, then deleted.
          The days are counted from the event’s date, or from its last upload if that is later.
        </strong>{' '}
        With a photo go its smaller versions and everything that was computed about the faces in it. The
        photographer is told by e-mail seven days before, and can delete single photos or the whole event at
        any time before.
      </Trans>
      {longest !== days && (
        <>
          {' '}
          {longest === 0
            ? t`For a single event the photographer can choose another time, also until they delete the photos themselves.`
            : t`For a single event the photographer can choose another time, ${plural(longest, { one: '# day', other: '# days' })} at most.`}
        </>
      )}
    </p>
  );
}

export default function PrivacyPage() {
  return (
    <LegalPage title={t`Privacy Policy`}>
      <p>
        <Trans>
          {siteName} lets photographers share the photos of an event, and lets guests find the photos they are
          in. This page says which data that takes, what becomes of it, and what you can ask of us.
        </Trans>
      </p>

      <h2>{t`If you are a guest`}</h2>
      <p>{t`You need no account, and we do not ask who you are.`}</p>
      <h3>{t`Your selfie`}</h3>
      <ul>
        <li>
          <Trans>
            Your selfie is held in memory only, for as long as the search takes, and dropped with the answer.
          </Trans>
        </li>
        <li>
          <Trans>
            It is written to no file, no database and no log, and it is not used to train anything.
          </Trans>
        </li>
        <li>
          <Trans>
            From it we compute a list of numbers that describes the face. The numbers are compared with those
            of the faces in this one event, and dropped with the selfie. They never leave our server in a form
            that anybody else can read.
          </Trans>
        </li>
        <li>
          <Trans>
            Your browser keeps a small preview and the results in the tab you are using, so that a reload does
            not lose them. They stay on your device and go when you take a new photo or close the tab.
          </Trans>
        </li>
        <li>
          <Trans>
            Your browser also remembers which photos you have saved, to show a check mark. That list stays on
            your device too.
          </Trans>
        </li>
      </ul>
      <h3>{t`How sure a result is`}</h3>
      <p>
        {t`A result is a list of likely photos, not proof of who somebody is. In our measurements about three photos in a thousand showed somebody else, and two people with East Asian names were taken for one person at least three times as often as others. “That’s not me” takes a wrong photo out, and a strict search shows fewer of them.`}
      </p>
      <h3>{t`What is kept of a search`}</h3>
      <p>
        <Trans>
          A line in the server’s log says that a search took place, and when. Which version of the notice
          before the camera was shown is counted by day, without anything about you. Your network address is
          counted for a short while to keep a single sender from flooding the service.
        </Trans>
      </p>
      <p>
        <Trans>
          So that you can save everything as one ZIP, the list of the photos that were found is kept for six
          hours under a random link that only your browser is given. It names photos, not you.
        </Trans>
      </p>
      <h3>{t`If you add photos of your own`}</h3>
      <p>
        {t`Where an event takes photos from guests, those that you add are stored with it, with your name if you give one. Until they are let in, only the photographer’s team sees them, and we compute nothing about faces in them. What is declined or taken back is deleted at once, and what nobody decides about after 14 days. A photo that is let in is treated like the photographer’s own, and is deleted with them.`}
      </p>
      <h3>{t`If you ask to be told of new photos`}</h3>
      <p>
        <Trans>
          You can leave an e-mail address to hear of new photos of you, where the event offers it. Then, and
          only then, we store the address and the numbers that describe your face, encrypted with a key of
          this event. Nothing is sent before you confirm the address by a link; what is not confirmed within
          24 hours is deleted. Each mail has a link that ends it. Address and numbers are deleted when you use
          it, with the event or its photos, and after a year at the latest. The link in a mail shows your
          photos for seven days to whoever has it.
        </Trans>
      </p>
      <h3>{t`If you ask to be removed`}</h3>
      <p>
        <Trans>
          By a fresh selfie you can have the photos you are in hidden from all guests of an event, or not be
          found any more. For the first we note where in these photos you are. For the second we delete the
          numbers that describe your face in this event, and keep one encrypted description of it, only to
          leave your face out of new photos. Both go with the event. The photographer is told, and decides in
          the end.
        </Trans>
      </p>
      <p>
        {t`For that you take two photos on the page, one with your head turned to a side that we name. It makes it harder to remove you with a picture of you, and is no proof: a video may pass. With any other photo the photographer decides first, and until then we only keep what you ask for, and change nothing.`}
      </p>
      <h3>{t`You are in the photos of an event`}</h3>
      <p>
        <Trans>
          To make photos searchable we find the faces in them and compute such numbers for each. They belong
          to the photo and are deleted with it. They are used for the search within its event and its
          photographer’s own library, and to show this photographer which photos of an event have the same
          person in them, and for nothing else. We do not name faces and do not compare people across
          photographers.
        </Trans>
      </p>
      <p>
        {t`Guests can share a photo without strangers: in a copy that is made for them and that we do not keep, every face that is found is made unrecognisable but theirs and their friends’. A face that is not found stays.`}
      </p>

      <h2>{t`If you are a photographer`}</h2>
      <h3>{t`Data collected`}</h3>
      <ul>
        <li>
          <Trans>
            <strong>Account:</strong> name, e-mail address, and your password as a hash that cannot be turned
            back.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Events and photos:</strong> what you enter and upload. Originals are kept byte for byte;
            the smaller versions that guests see carry no camera data and no position. Guests download the
            original without positions, places, names of people, keywords and serial numbers, unless you
            decide otherwise for an event.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Credits and payments:</strong> every change of your balance, and the numbers of orders and
            payments. Card data goes to the payment provider and never reaches us.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Messages</strong> you send through the contact form.
          </Trans>
        </li>
      </ul>
      <p>
        <Trans>
          We set no advertising or tracking cookies. Your browser’s storage holds your login and the chosen
          event.
        </Trans>
      </p>

      <h2>{t`Retention`}</h2>
      <Retention />
      <p>
        <Trans>
          Your account is kept until you delete it. With it go your events, photos and face data; the record
          of payments stays where the law asks for it, without your name.
        </Trans>
      </p>

      <h2>{t`Who sees what`}</h2>
      <ul>
        <li>
          <Trans>
            An event’s page is open to everybody who has its link. The link holds ten random characters, so
            nobody guesses it. It shows no photos until a search finds some.
          </Trans>
        </li>
        <li>{t`Links to photos are signed and expire after six hours.`}</li>
        <li>
          <Trans>
            We pass data on only to those who work for us, such as hosting, mail and payment, and where the
            law demands it. We sell nothing.
          </Trans>
        </li>
      </ul>

      <h2>{t`Your rights`}</h2>
      <ul>
        <li>{t`You may ask what we hold about you, have it corrected, or have it deleted.`}</li>
        <li>
          <Trans>
            If you are in photos of an event and do not want to be, you can have them hidden on the event’s
            page, ask the photographer to delete them, or write to us and we pass it on.
          </Trans>
        </li>
        <li>
          <Trans>
            You may object to a use of your data, and complain to the authority for data protection.
          </Trans>
        </li>
      </ul>

      <h2>{t`Contact`}</h2>
      <p>
        <Trans>
          Write to <SupportEmail />.
        </Trans>
      </p>
    </LegalPage>
  );
}
