/** A browser inside another app, as pages see it. */
export interface InAppAgent {
  readonly app: string;
  readonly system: 'iOS' | 'Android';
  readonly userAgent: string;
  /** How the link begins that leads out of the app; null where none is known. */
  readonly exit: string | null;
  /** What the app adds to `window`; Telegram's is all that tells it from Safari. */
  readonly globals?: readonly string[];
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; SM-A556E Build/AP3A.240905.015.A2; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.7390.122 Mobile Safari/537.36';
/** Chrome's own, which some apps report too. */
const ANDROID_CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.122 Mobile Safari/537.36';

/** Composed of the tokens by which each app is known, in the forms of 2025 and 2026. */
export const IN_APP_AGENTS: readonly InAppAgent[] = [
  {
    app: 'Instagram',
    system: 'iOS',
    exit: 'instagram://extbrowser/?url=',
    userAgent: `${IPHONE} Mobile/22H20 Instagram 403.0.0.29.79 (iPhone15,4; iOS 18_7; en_GB; en-GB; scale=3.00; 1179x2556; IABMV/1; 810081122)`,
  },
  {
    app: 'Instagram',
    system: 'Android',
    exit: 'intent://',
    userAgent: `${ANDROID} Instagram 403.0.0.49.74 Android (35/15; 450dpi; 1080x2340; samsung; SM-A556E; a55x; s5e8845; en_GB; 810081491; IABMV/1)`,
  },
  {
    app: 'Facebook',
    system: 'iOS',
    exit: 'x-safari-http',
    userAgent: `${IPHONE} Mobile/22H20 [FBAN/FBIOS;FBAV/535.0.0.41.101;FBBV/812345678;FBDV/iPhone15,4;FBMD/iPhone;FBSN/iOS;FBSV/18.7;FBSS/3;FBID/phone;FBLC/en_GB;FBOP/5;FBRV/814000000;IABMV/1]`,
  },
  {
    app: 'Facebook',
    system: 'Android',
    exit: 'intent://',
    userAgent: `${ANDROID} [FB_IAB/FB4A;FBAV/535.0.0.52.104;IABMV/1;]`,
  },
  {
    app: 'WhatsApp',
    system: 'iOS',
    exit: 'x-safari-http',
    userAgent: `${IPHONE} Version/18.7 Mobile/15E148 Safari/604.1 [WAiOS/2.26.31]`,
  },
  { app: 'WhatsApp', system: 'Android', exit: 'intent://', userAgent: `${ANDROID_CHROME} [WA4A/2.26.30.97;]` },
  { app: 'LINE', system: 'Android', exit: 'http', userAgent: `${ANDROID} Line/15.18.1/IAB` },
  {
    app: 'TikTok',
    system: 'iOS',
    exit: 'x-safari-http',
    userAgent: `${IPHONE} Mobile/22H20 musical_ly_42.3.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/GB BytedanceWebview/d8a21c6`,
  },
  {
    app: 'Snapchat',
    system: 'iOS',
    exit: null,
    userAgent: `${IPHONE} Version/18.7 Mobile/15E148 Snapchat/13.67.0.54 (like Safari/8621.3.11.10.3, panda)`,
  },
  {
    app: 'Telegram',
    system: 'iOS',
    exit: 'x-safari-http',
    userAgent: `${IPHONE} Version/18.7 Mobile/22H20 Safari/604.1`,
    globals: ['TelegramWebviewProxy', 'TelegramWebviewProxyProto'],
  },
  { app: 'Telegram', system: 'Android', exit: 'intent://', userAgent: ANDROID_CHROME, globals: ['TelegramWebview'] },
];
